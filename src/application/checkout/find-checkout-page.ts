import type { Brand } from '../../domain/companies/company-config';
import { linkProblem, type PaymentLink } from '../../domain/checkout/payment-link';
import type { CompanyConfigRepository } from '../../persistence/companies/company-config-repository';
import type { CompanyRepository } from '../../persistence/companies/company-repository';
import type { PaymentLinkRepository } from '../../persistence/checkout/payment-link-repository';

export interface FindCheckoutPageDeps {
  readonly links: PaymentLinkRepository;
  readonly companyConfigs: CompanyConfigRepository;
  readonly companies: Pick<CompanyRepository, 'nameOf'>;
  readonly now: () => Date;
}

/** What the page at a link's address is about. */
export interface FoundCheckoutPage {
  readonly link: PaymentLink;
  /** Why nothing can be bought there now; who has bought is still shown what. */
  readonly problem: 'link_expired' | 'link_exhausted' | null;
  readonly brand: Brand;
  readonly companyName: string;
  /** Whose pages may show it in a frame. */
  readonly frameOrigins: readonly string[];
}

export class FindCheckoutPage {
  constructor(private readonly deps: FindCheckoutPageDeps) {}

  /** Null where there is no link, and where it was deleted or is turned off: that looks the same from outside. */
  async at(companySlug: string, linkSlug: string): Promise<FoundCheckoutPage | null> {
    const { links, companyConfigs, companies, now } = this.deps;
    const link = await links.findAt(companySlug, linkSlug);
    if (link === null) return null;
    const problem = linkProblem(link, now());
    if (problem === 'link_deleted' || problem === 'link_inactive') return null;
    const [{ brand, checkoutFrameOrigins }, companyName] = await Promise.all([
      companyConfigs.load(link.companyId),
      companies.nameOf(link.companyId),
    ]);
    return { link, problem, brand, companyName, frameOrigins: checkoutFrameOrigins };
  }
}
