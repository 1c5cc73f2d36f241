using Larder.Server.Calls;
using Larder.Store;

namespace Larder.Server.Scans;

/// <summary>A page of keys, or an error.</summary>
/// <param name="Page">The page; null if there is an error.</param>
/// <param name="Error">The error; null if there is a page.</param>
internal readonly record struct KeyScanOutcome(KeyPage? Page, CallError? Error)
{
    public static implicit operator KeyScanOutcome(KeyPage page) => new(page, null);

    public static implicit operator KeyScanOutcome(CallError error) => new(null, error);
}
