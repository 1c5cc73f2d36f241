using System.Buffers;
using Larder.Server.Calls;
using Larder.Server.Faults;
using Larder.Server.Security;
using Larder.Server.Services;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>
/// Implements <see cref="BatchService"/> on a gateway. A get-batch is read in windows. The next window is read when the client has received the previous one. A
/// set-batch is stored completely before the response is sent.
/// </summary>
internal sealed class RemoteBatchService
{
    private const int MaxBatch = 128;
    private const int FirstWindow = 16;

    private static readonly RemoteGetBatch GetBatch = new();
    private static readonly RemoteSetBatch SetBatch = new();

    private readonly RemoteGateway _gateway;
    private readonly bool _honoursFaults;

    private RemoteBatchService(RemoteGateway gateway, bool honoursFaults)
    {
        _gateway = gateway;
        _honoursFaults = honoursFaults;
    }

    public static void Map(RpcRouter router, RemoteGateway gateway, bool honoursFaults)
    {
        RemoteBatchService service = new(gateway, honoursFaults);
        router.MapServerStream(BatchService.GetBatchPath, service.GetAsync);
        router.MapServerStream(BatchService.SetBatchPath, service.SetAsync);
    }

    private async ValueTask GetAsync(ReadOnlySequence<byte> request, ResponseFrames responses, RpcContext context)
    {
        ReadOnlyMemory<byte> rest = request.IsSingleSegment ? request.First : request.ToArray();
        RemoteCache cache = Open(
            context,
            CacheRights.Refuse(context, BatchService.GetPolicy, rest.Span) ?? GetBatchCall.Check(rest.Span));
        StreamFault fault = FaultOf(context, "get-batch");
        int sent = 0;
        int atOnce = FirstWindow;
        while (true)
        {
            context.Cancelled.ThrowIfCancellationRequested();
            JoinedCall call = new(_gateway, GetBatch, cache, rest, context);
            using GetBatchWindow window = new(call.Command, atOnce);
            await call.RunAsync(_gateway, window).ConfigureAwait(false);
            CallRouting.Require(window.Outcome, context);
            int taken = window.Taken;
            for (int index = 0; index < taken; index++)
            {
                fault.ThrowIfDue(context, sent++);
                await responses.WaitForRoomAsync().ConfigureAwait(false);
                window.WriteOne(index, responses.Message);
                await responses.EndMessageAsync().ConfigureAwait(false);
            }

            if (taken == 0)
            {
                fault.ThrowIfDue(context, sent);
                return;
            }

            rest = rest[window.EndOf(taken - 1)..];
            atOnce = taken < atOnce ? Math.Max(taken / 2, 1) : Math.Min(2 * atOnce, MaxBatch);
        }
    }

    private async ValueTask SetAsync(ReadOnlySequence<byte> request, ResponseFrames responses, RpcContext context)
    {
        ReadOnlyMemory<byte> items = request.IsSingleSegment ? request.First : request.ToArray();
        RemoteCache cache = Open(
            context,
            CacheRights.Refuse(context, BatchService.SetPolicy, items.Span) ?? SetBatchCall.Check(_gateway.Rules, items.Span));
        StreamFault fault = FaultOf(context, "set-batch");
        JoinedCall call = new(_gateway, SetBatch, cache, items, context);
        SetBatchJoin join = new(call.Command);
        await call.RunAsync(_gateway, join).ConfigureAwait(false);
        CallRouting.Require(join.Outcome, context);
        for (int sent = 0; sent < join.Count; sent++)
        {
            fault.ThrowIfDue(context, sent);
            responses.Message.WriteMessage(SetCall.Ok);
            await responses.EndMessageAsync().ConfigureAwait(false);
        }

        fault.ThrowIfDue(context, join.Count);
    }

    private RemoteCache Open(RpcContext context, CallError? refusal)
    {
        CallRouting.Require(RemoteDataService.FindCache(_gateway, context, out RemoteCache? cache) ?? refusal, context);
        return cache!;
    }

    private StreamFault FaultOf(RpcContext context, string rpc) =>
        new(_honoursFaults ? FaultScript.Parse(context.RequestHeaders) : null, rpc);
}
