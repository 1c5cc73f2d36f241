using Larder.Server.Calls;
using Larder.Server.Work;
using Larder.Wire;

namespace Larder.Server.Pipeline;

/// <summary>
/// A long-running pipelined call. It contains copies of the operation's fields, because a worker runs the call while the stream continues to read.
/// </summary>
/// <param name="calls">The deferred calls of the same stream.</param>
/// <param name="id">The client's operation ID.</param>
/// <param name="call">The call.</param>
/// <param name="target">The cache and rules for the call.</param>
/// <param name="request">The request message. <see cref="LetGo"/> releases it.</param>
/// <param name="arrivedAt">The time at which the call's turn started, in ticks of the stream's clock.</param>
/// <param name="deadlineMs">The remaining time on arrival, in milliseconds; 0 for no deadline.</param>
internal sealed class DeferredCall(
    DeferredCalls calls,
    uint id,
    CacheCall call,
    CallTarget target,
    PooledBuffer request,
    long arrivedAt,
    uint deadlineMs) : IWorkItem, IWorkWaiter
{
    private ReplyBuffer? _reply;
    private volatile bool _isCancelled;

    public uint Id => id;

    public CacheCall Call => call;

    public int RequestBytes => request.Written;

    public long ArrivedAt => arrivedAt;

    /// <summary>Gets the message with the result of the call. Valid when the call has ended.</summary>
    public ReplyBuffer Reply => _reply!;

    /// <summary>Gets the error of the call; null if it succeeded.</summary>
    public CallError? Error { get; private set; }

    public bool IsWaiting => !calls.IsOver && !_isCancelled && !IsPastDeadline;

    private bool IsPastDeadline => deadlineMs != 0 && calls.ElapsedSince(arrivedAt).TotalMilliseconds >= deadlineMs;

    /// <summary>Cancels the call. A call that has not begun does not run. A running call stops between two steps if it has not changed anything yet.</summary>
    public void Cancel() => _isCancelled = true;

    void IWorkItem.Run()
    {
        if (!calls.IsOver)
        {
            _reply = new ReplyBuffer(calls.Stream, isForOne: true);
            Error = IsPastDeadline ? CallError.PastDeadline : _isCancelled ? CallError.Cancelled : WorkerPace.Run(this, RunCall);
            if (_isCancelled && ReferenceEquals(Error, CallError.Stopped))
            {
                Error = CallError.Cancelled;
            }

            EndResult(_reply);
        }

        calls.Ended(this);
    }

    /// <summary>Releases the buffers of the request and the result.</summary>
    public void LetGo()
    {
        _reply?.LetGo();
        request.Dispose();
    }

    private void EndResult(ReplyBuffer reply)
    {
        if (Error is null)
        {
            reply.EndResult(id, call.PipelineField);
        }
        else
        {
            // Discards the part of the response that the call wrote before it failed.
            reply.LetGo();
            if (ReferenceEquals(Error, CallError.UseUnary))
            {
                reply.WriteUseUnary(id);
            }
            else
            {
                reply.WriteError(id, Error);
            }
        }
    }

    private CallError? RunCall()
    {
        try
        {
            _reply!.BeginResult();
            return call.Handler(target, request.WrittenSpan, _reply);
        }
        catch (RpcException noBuffer) when (noBuffer.Status.Code == StatusCode.ResourceExhausted)
        {
            return CallError.NoBuffer;
        }
        catch (InsufficientMemoryException)
        {
            return CallError.NoMemory;
        }
#pragma warning disable CA1031 // An internal error ends only this call, with a status; the stream reports it.
        catch (Exception fault)
#pragma warning restore CA1031
        {
            calls.Report(call, fault);
            return CallError.Fault;
        }
    }
}
