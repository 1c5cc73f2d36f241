using Larder.Server.Calls;
using Larder.Store;

namespace Larder.Server.Scans;

/// <summary>A page of a collection, or an error.</summary>
/// <param name="Page">The page; null if there is an error or the key does not exist.</param>
/// <param name="Error">The error; null if there is a page or the key does not exist.</param>
internal readonly record struct ItemScanOutcome(ElementPage? Page, CallError? Error)
{
    /// <summary>The outcome if the key does not exist.</summary>
    public static readonly ItemScanOutcome Missing;

    public static implicit operator ItemScanOutcome(ElementPage page) => new(page, null);

    public static implicit operator ItemScanOutcome(CallError error) => new(null, error);
}
