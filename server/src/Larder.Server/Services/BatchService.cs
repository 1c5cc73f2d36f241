using System.Buffers;
using Larder.Server.Calls;
using Larder.Server.Faults;
using Larder.Server.Security;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>
/// The gRPC calls GetBatch and SetBatch. They stream one response per item, in the order of the items. If an item is invalid, the call fails before any item is
/// processed. Each item is processed only when there is buffer space for its response, so a slow client slows down the call.
/// </summary>
internal static class BatchService
{
    public const string GetBatchPath = "/cache_client.Scs/GetBatch";
    public const string SetBatchPath = "/cache_client.Scs/SetBatch";

    /// <summary>The rights that a get-batch needs.</summary>
    public static readonly CallPolicy GetPolicy = CallPolicy.Of(GetBatchPath)!;

    /// <summary>The rights that a set-batch needs.</summary>
    public static readonly CallPolicy SetPolicy = CallPolicy.Of(SetBatchPath)!;

    // The number of items after which a call leaves the reading thread, because that thread also serves other streams. An item takes about 0.3 µs, so a call
    // leaves the thread after about 0.1 ms.
    private const int LongItems = 256;

    public static void Map(RpcRouter router, CallRouting routing, bool honoursFaults)
    {
        router.MapServerStream(GetBatchPath, (request, responses, context) =>
            AnswerEachAsync(request, responses, context, routing, honoursFaults, isGet: true));
        router.MapServerStream(SetBatchPath, (request, responses, context) =>
            AnswerEachAsync(request, responses, context, routing, honoursFaults, isGet: false));
    }

    private static async ValueTask AnswerEachAsync(
        ReadOnlySequence<byte> request,
        ResponseFrames responses,
        RpcContext context,
        CallRouting routing,
        bool honoursFaults,
        bool isGet)
    {
        ReadOnlyMemory<byte> items = request.IsSingleSegment ? request.First : request.ToArray();
        CallError? error = routing.FindTarget(context, out CallTarget target)
            ?? CacheRights.Refuse(context, isGet ? GetPolicy : SetPolicy, items.Span)
            ?? (isGet ? GetBatchCall.Check(items.Span) : SetBatchCall.Check(routing.Rules, items.Span));
        if (error is not null)
        {
            throw CallRouting.Failure(context, error);
        }

        FaultScript? script = honoursFaults ? FaultScript.Parse(context.RequestHeaders) : null;
        bool endsEarly = script?.StreamError is not null && script.StreamErrorRpcs.Contains(isGet ? "get-batch" : "set-batch");
        int position = 0;
        for (int sent = 0; ; sent++)
        {
            if (endsEarly && sent >= script!.StreamErrorMessageLimit)
            {
                throw CallRouting.Failure(context, script.StreamError!);
            }

            if (!TryNextItem(items.Span, ref position, out Range item))
            {
                return;
            }

            if (sent == LongItems)
            {
                await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
            }

            context.Cancelled.ThrowIfCancellationRequested();
            await responses.WaitForRoomAsync().ConfigureAwait(false);
            if (Answer(target, items.Span[item], responses.Message, isGet) is { } failed)
            {
                throw CallRouting.Failure(context, failed);
            }

            await responses.EndMessageAsync().ConfigureAwait(false);
        }
    }

    private static CallError? Answer(CallTarget target, ReadOnlySpan<byte> item, IBufferWriter<byte> answer, bool isGet) =>
        isGet ? GetCall.Run(target, item, answer) : SetCall.Run(target, item, answer);

    /// <summary>Finds the next item in the request, beginning at <paramref name="position"/>. Returns a range, which can be kept across an await.</summary>
    private static bool TryNextItem(ReadOnlySpan<byte> request, ref int position, out Range item)
    {
        RepeatedItems items = new(request[position..]);
        bool found = items.Next(out ReadOnlySpan<byte> bytes);
        int end = position + items.Position;
        item = (end - bytes.Length)..end;
        position = end;
        return found;
    }
}
