using System.Buffers;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Server.Scans;
using Larder.Server.Security;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>The calls that the public protocol has not: <c>larder.v1.Extras</c>, of the store and of a front alike.</summary>
internal static class ExtrasService
{
    public const string ScanKeysPath = "/larder.v1.Extras/ScanKeys";
    public const string ScanItemsPath = "/larder.v1.Extras/ScanItems";

    public static readonly IReadOnlyList<string> Paths = [ScanKeysPath, ScanItemsPath];

    public static void Map(RpcRouter router, IKeyScanner keys, IItemScanner items)
    {
        router.MapUnary(
            ScanKeysPath,
            (request, response, context) => ScanKeysAsync(keys, Decode(ScanKeysRequest.Parser, request, context), response, context));
        router.MapUnary(
            ScanItemsPath,
            (request, response, context) => ScanItemsAsync(items, Decode(ScanItemsRequest.Parser, request, context), response, context));
    }

    /// <exception cref="RpcException">The bytes are no such message.</exception>
    internal static T Decode<T>(MessageParser<T> parser, in ReadOnlySequence<byte> request, RpcContext context)
        where T : IMessage<T>
    {
        try
        {
            return parser.ParseFrom(request);
        }
        catch (InvalidProtocolBufferException)
        {
            throw CallRouting.Failure(context, CallError.Malformed);
        }
    }

    private static async ValueTask ScanKeysAsync(IKeyScanner scanner, ScanKeysRequest request, IBufferWriter<byte> response, RpcContext context)
    {
        if (!Enum.IsDefined(request.Type))
        {
            throw CallRouting.Failure(context, ScanErrors.UnknownType);
        }

        CacheRights? rights = context.Caller as CacheRights;
        string cache = context.RequestHeaders[CallRouting.CacheHeader];
        ReadOnlyMemory<byte> prefix = request.Prefix.Memory;
        if (rights is not null && !rights.TryNarrow(prefix, out prefix))
        {
            throw CallRouting.Failure(context, AccessErrors.DeniedKey(Rights.Read, cache));
        }

        KeyQuery query = new()
        {
            Prefix = prefix,
            Type = request.Type == KeyType.Any ? null : (ItemType)((int)request.Type - 1),
            Count = Clamped(request.Count),
        };
        (KeyPage? page, CallError? error) = await scanner.ScanAsync(cache, request.Cursor.Memory, query, context.Remaining).ConfigureAwait(false);
        if (error is not null)
        {
            throw CallRouting.Failure(context, error);
        }

        response.WriteWhole(ScannedPages.Of(rights is null ? page! : OnlyReadable(page!, rights)));
    }

    private static KeyPage OnlyReadable(KeyPage page, CacheRights rights) =>
        page with { Keys = [.. page.Keys.Where(each => rights.Allows(Rights.Read, each.Key))] };

    private static async ValueTask ScanItemsAsync(IItemScanner scanner, ScanItemsRequest request, IBufferWriter<byte> response, RpcContext context)
    {
        string cache = context.RequestHeaders[CallRouting.CacheHeader];
        CallError? denied = context.Caller is CacheRights rights && !rights.Allows(Rights.Read, request.Name.Span)
            ? AccessErrors.DeniedKey(Rights.Read, cache)
            : null;
        ItemScanOutcome outcome = (CallRules.CheckKey(request.Name.Span) ?? denied) is { } refusal
            ? refusal
            : await scanner.ScanAsync(cache, request.Name.Memory, request.Cursor.Memory, Clamped(request.Count), context.Remaining).ConfigureAwait(false);
        if (outcome.Error is { } error)
        {
            throw CallRouting.Failure(context, error);
        }

        response.WriteWhole(ScannedPages.Of(outcome.Page));
    }

    private static int Clamped(uint count) => (int)Math.Min(count, int.MaxValue);
}
