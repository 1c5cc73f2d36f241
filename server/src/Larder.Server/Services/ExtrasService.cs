using System.Buffers;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Server.Scans;
using Larder.Server.Security;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>The calls of <c>larder.v1.Extras</c>, for the memory store and for a gateway. The public protocol does not contain these calls.</summary>
internal static class ExtrasService
{
    public const string ScanKeysPath = "/larder.v1.Extras/ScanKeys";
    public const string ScanItemsPath = "/larder.v1.Extras/ScanItems";

    public static readonly IReadOnlyList<string> Paths = [ScanKeysPath, ScanItemsPath];

    public static void Map(RpcRouter router, IKeyScanner keys, IItemScanner items)
    {
        router.MapUnary(
            ScanKeysPath,
            (request, response, context) => ScanKeysAsync(keys, FieldMemory.Whole(request), response, context));
        router.MapUnary(
            ScanItemsPath,
            (request, response, context) => ScanItemsAsync(items, FieldMemory.Whole(request), response, context));
    }

    private static async ValueTask ScanKeysAsync(IKeyScanner scanner, ReadOnlyMemory<byte> request, IBufferWriter<byte> response, RpcContext context)
    {
        CallError? invalid = ScanKeysFields.Decode(request, out ScanKeysFields fields)
            ?? (Enum.IsDefined((KeyType)fields.Type) ? null : ScanErrors.UnknownType);
        if (invalid is not null)
        {
            throw CallRouting.Failure(context, invalid);
        }

        CacheRights? rights = context.Caller as CacheRights;
        string cache = context.RequestHeaders[CallRouting.CacheHeader];
        ReadOnlyMemory<byte> prefix = fields.Prefix;
        if (rights is not null && !rights.TryNarrow(prefix, out prefix))
        {
            throw CallRouting.Failure(context, AccessErrors.DeniedKey(Rights.Read, cache));
        }

        KeyQuery query = new()
        {
            Prefix = prefix,
            Type = fields.Type == (int)KeyType.Any ? null : (ItemType)(fields.Type - 1),
            Count = Clamped(fields.Count),
        };
        (KeyPage? page, CallError? error) = await scanner.ScanAsync(cache, fields.Cursor, query, context.Remaining).ConfigureAwait(false);
        if (error is not null)
        {
            throw CallRouting.Failure(context, error);
        }

        response.WriteWhole(ScannedPages.Of(rights is null ? page! : FilterReadable(page!, rights)));
    }

    private static KeyPage FilterReadable(KeyPage page, CacheRights rights) =>
        page with { Keys = [.. page.Keys.Where(each => rights.Allows(Rights.Read, each.Key))] };

    private static async ValueTask ScanItemsAsync(IItemScanner scanner, ReadOnlyMemory<byte> request, IBufferWriter<byte> response, RpcContext context)
    {
        if (ScanItemsFields.Decode(request, out ScanItemsFields fields) is { } malformed)
        {
            throw CallRouting.Failure(context, malformed);
        }

        string cache = context.RequestHeaders[CallRouting.CacheHeader];
        CallError? denied = context.Caller is CacheRights rights && !rights.Allows(Rights.Read, fields.Name.Span)
            ? AccessErrors.DeniedKey(Rights.Read, cache)
            : null;
        ItemScanOutcome outcome = (CallRules.CheckKey(fields.Name.Span) ?? denied) is { } refusal
            ? refusal
            : await scanner.ScanAsync(cache, fields.Name, fields.Cursor, Clamped(fields.Count), context.Remaining).ConfigureAwait(false);
        if (outcome.Error is { } error)
        {
            throw CallRouting.Failure(context, error);
        }

        response.WriteWhole(ScannedPages.Of(outcome.Page));
    }

    private static int Clamped(uint count) => (int)Math.Min(count, int.MaxValue);
}
