using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Scans;

/// <summary>The errors of scans.</summary>
internal static class ScanErrors
{
    public static readonly CallError ForeignCursor = new(
        StatusCode.InvalidArgument,
        "the cursor is not one of this cache since it was created and the server was started; begin the scan again, without one");

    public static readonly CallError ForeignItemCursor = new(
        StatusCode.InvalidArgument,
        "the cursor is not one of this key, of this cache since it was created and the server was started; begin the scan again, without one");

    public static readonly CallError ItemMoved = new(
        StatusCode.FailedPrecondition,
        "the collection is at another process of the cluster than when the scan began, so that it could miss elements; begin it again, without a cursor");

    public static readonly CallError ItemsTooLarge = new(
        StatusCode.ResourceExhausted,
        "the elements of this page are longer than a message may be; ask for fewer at a time");

    public static readonly CallError Moved = new(
        StatusCode.FailedPrecondition,
        "the cluster's slots or masters have changed since the scan began, so that it could miss keys; begin it again, without a cursor");

    public static readonly CallError UnknownType = new(StatusCode.InvalidArgument, "the type is none of 0 (any) to 5 (sorted set)");

    public static readonly CallError NoCollection = new(
        StatusCode.FailedPrecondition,
        "the key holds no collection, or one of another type than when the scan began; where it is one, begin again, without a cursor");

    public static readonly CallError TooLarge = new(
        StatusCode.ResourceExhausted,
        "the keys of this page are longer than a message may be; ask for fewer at a time");
}
