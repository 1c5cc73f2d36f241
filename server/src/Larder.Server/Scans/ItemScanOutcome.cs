using Larder.Server.Calls;
using Larder.Store;

namespace Larder.Server.Scans;

/// <summary>A page of a collection, or why there is none.</summary>
/// <param name="Page">The page; null where there is an error, or no such key.</param>
/// <param name="Error">What a caller is told; null where there is a page, or no such key.</param>
internal readonly record struct ItemScanOutcome(ElementPage? Page, CallError? Error)
{
    /// <summary>There is no such key.</summary>
    public static readonly ItemScanOutcome Missing;

    public static implicit operator ItemScanOutcome(ElementPage page) => new(page, null);

    public static implicit operator ItemScanOutcome(CallError error) => new(null, error);
}
