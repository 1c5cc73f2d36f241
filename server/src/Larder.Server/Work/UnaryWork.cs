using System.Buffers;
using Larder.Server.Calls;
using Larder.Server.Services;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Work;

/// <summary>A long-running unary call that runs on a worker.</summary>
internal sealed class UnaryWork(
    CacheCall call,
    CallTarget target,
    ReadOnlySequence<byte> request,
    IBufferWriter<byte> response,
    RpcContext context) : IWorkItem, IWorkWaiter
{
    private readonly TaskCompletionSource _done = new();

    public bool IsWaiting => !context.Stream.IsAborted && !context.IsExpired;

    /// <summary>Runs the call. If the call fails, its error is set in the context.</summary>
    /// <exception cref="OperationCanceledException">The client has disconnected.</exception>
    public async ValueTask RunAsync()
    {
        WorkScheduler.Shared.Add(WorkGroups.ShareOf(context), this);
        await _done.Task.ConfigureAwait(false);
    }

    void IWorkItem.Run()
    {
        try
        {
            if (RunCall() is { } error)
            {
                CallRouting.Fail(context, error);
            }

            _done.SetResult();
        }
#pragma warning disable CA1031 // Rethrown by the awaiting call.
        catch (Exception fault)
#pragma warning restore CA1031
        {
            _done.SetException(fault);
        }
    }

    private CallError? RunCall()
    {
        if (context.Stream.IsAborted)
        {
            throw new OperationCanceledException("the client disconnected");
        }

        if (context.IsExpired)
        {
            return CallError.PastDeadline;
        }

        return WorkerPace.Run(this, () => call.Handler(target, request.IsSingleSegment ? request.FirstSpan : request.ToArray(), response));
    }
}
