import type { Brand } from '../../domain/companies/company-config';
import { linkProblem, type PaymentLink } from '../../domain/checkout/payment-link';
import type { CompanyConfigRepository } from '../../persistence/companies/company-config-repository';
import type { CompanyRepository } from '../../persistence/companies/company-repository';
import type { PaymentLinkRepository } from '../../persistence/checkout/payment-link-repository';
import { isHiddenLink } from './checkout-claim';

export interface FindCheckoutPageDeps {
  readonly links: PaymentLinkRepository;
  readonly companyConfigs: CompanyConfigRepository;
  readonly companies: Pick<CompanyRepository, 'getName'>;
  readonly now: () => Date;
}

/** The content of a link's checkout page. */
export interface FoundCheckoutPage {
  readonly link: PaymentLink;
  /** Why the link accepts no purchase. A buyer who has paid still sees the offer. */
  readonly problem: 'link_expired' | 'link_exhausted' | null;
  readonly brand: Brand;
  readonly companyName: string;
  /** Origins that may embed the page in a frame. */
  readonly frameOrigins: readonly string[];
}

export class FindCheckoutPage {
  constructor(private readonly deps: FindCheckoutPageDeps) {}

  /** Null if the link does not exist, was deleted or is inactive. */
  async findBySlugs(companySlug: string, linkSlug: string): Promise<FoundCheckoutPage | null> {
    const { links, companyConfigs, companies, now } = this.deps;
    const link = await links.findBySlugs(companySlug, linkSlug);
    if (link === null) return null;
    const problem = linkProblem(link, now());
    if (problem !== null && isHiddenLink(problem)) return null;
    const [{ brand, checkoutFrameOrigins }, companyName] = await Promise.all([
      companyConfigs.get(link.companyId),
      companies.getName(link.companyId),
    ]);
    return { link, problem, brand, companyName, frameOrigins: checkoutFrameOrigins };
  }
}
