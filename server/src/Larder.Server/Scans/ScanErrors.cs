using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Scans;

/// <summary>The errors of scans.</summary>
internal static class ScanErrors
{
    public static readonly CallError ForeignCursor = new(
        StatusCode.InvalidArgument,
        "the cursor does not belong to this cache, or it was created before the cache or before the last restart of the server; restart the scan without a "
            + "cursor");

    public static readonly CallError ForeignItemCursor = new(
        StatusCode.InvalidArgument,
        "the cursor does not belong to this key, or it was created before the cache or before the last restart of the server; restart the scan without a "
            + "cursor");

    public static readonly CallError ItemMoved = new(
        StatusCode.FailedPrecondition,
        "the collection moved to another node since the scan started, so elements could be missed; restart the scan without a cursor");

    public static readonly CallError ItemsTooLarge = new(
        StatusCode.ResourceExhausted,
        "the elements of this page exceed the maximum message size; request fewer elements per page");

    public static readonly CallError Moved = new(
        StatusCode.FailedPrecondition,
        "the slots or masters of the cluster changed since the scan started, so keys could be missed; restart the scan without a cursor");

    public static readonly CallError UnknownType = new(StatusCode.InvalidArgument, "unknown type; it must be 0 (any) to 5 (sorted set)");

    public static readonly CallError NoCollection = new(
        StatusCode.FailedPrecondition,
        "the key holds no collection, or the type of the collection changed since the scan started; check the key, then restart "
            + "the scan without a cursor");

    public static readonly CallError TooLarge = new(
        StatusCode.ResourceExhausted,
        "the keys of this page exceed the maximum message size; request fewer keys per page");
}
