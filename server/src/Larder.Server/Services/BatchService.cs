using System.Buffers;
using Larder.Server.Calls;
using Larder.Server.Faults;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>GetBatch and SetBatch over unary: a stream of answers in the order of the items. A bad item fails the call before anything is done.</summary>
internal static class BatchService
{
    public const string GetBatchPath = "/cache_client.Scs/GetBatch";
    public const string SetBatchPath = "/cache_client.Scs/SetBatch";

    private static readonly ReadOnlyMemory<byte> SetOk = SetCall.Ok.ToArray();

    public static void Map(RpcRouter router, CallRouting routing, bool honoursFaults)
    {
        router.MapServerStream(GetBatchPath, BytesCodec.Instance, BytesCodec.Instance, (request, responses, context) =>
            AnswerEachAsync(request, responses, context, routing, honoursFaults, isGet: true));
        router.MapServerStream(SetBatchPath, BytesCodec.Instance, BytesCodec.Instance, (request, responses, context) =>
            AnswerEachAsync(request, responses, context, routing, honoursFaults, isGet: false));
    }

    private static async Task AnswerEachAsync(
        ReadOnlyMemory<byte> request,
        ResponseStream<ReadOnlyMemory<byte>> responses,
        RpcContext context,
        CallRouting routing,
        bool honoursFaults,
        bool isGet)
    {
        CallError? error = routing.FindTarget(context, out CallTarget target)
            ?? (isGet ? GetBatchCall.Check(request.Span) : SetBatchCall.Check(routing.Rules, request.Span));
        if (error is not null)
        {
            throw CallRouting.Failure(context, error);
        }

        FaultScript? script = honoursFaults ? FaultScript.Parse(context.RequestHeaders) : null;
        bool endsEarly = script?.StreamError is not null && script.StreamErrorRpcs.Contains(isGet ? "get-batch" : "set-batch");
        ArrayBufferWriter<byte> answer = new();
        int position = 0;
        for (int sent = 0; ; sent++)
        {
            if (endsEarly && sent >= script!.StreamErrorMessageLimit)
            {
                throw CallRouting.Failure(context, script.StreamError!);
            }

            if (!TryNextItem(request.Span, ref position, out Range item))
            {
                return;
            }

            context.Cancelled.ThrowIfCancellationRequested();
            await responses.WriteAsync(Answer(target, request.Span[item], answer, isGet)).ConfigureAwait(false);
        }
    }

    private static ReadOnlyMemory<byte> Answer(CallTarget target, ReadOnlySpan<byte> item, ArrayBufferWriter<byte> answer, bool isGet)
    {
        if (!isGet)
        {
            SetCall.Store(target, item);
            return SetOk;
        }

        answer.ResetWrittenCount();
        GetCall.Run(target, item, answer);
        return answer.WrittenMemory;
    }

    /// <summary>The next item's place in the request, from <paramref name="position"/> on, so that it outlives an await.</summary>
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
