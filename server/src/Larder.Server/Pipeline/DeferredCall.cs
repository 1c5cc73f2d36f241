using Larder.Server.Calls;
using Larder.Server.Work;
using Larder.Wire;

namespace Larder.Server.Pipeline;

/// <summary>A pipelined call that takes long: a copy of its parts, which a worker runs while the stream reads on.</summary>
/// <param name="calls">The calls of its stream.</param>
/// <param name="id">The client's id.</param>
/// <param name="call">The call.</param>
/// <param name="target">What it acts on.</param>
/// <param name="request">The request message; disposed of by <see cref="LetGo"/>.</param>
/// <param name="arrivedAt">When its turn began, in ticks of the stream's clock.</param>
/// <param name="deadlineMs">The time it had left on arrival, in milliseconds; 0: no deadline.</param>
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

    /// <summary>The message with its result, once it has ended.</summary>
    public ReplyBuffer Reply => _reply!;

    /// <summary>Why it failed; null: it succeeded.</summary>
    public CallError? Error { get; private set; }

    public bool IsWaiting => !calls.IsOver && !_isCancelled && !IsPastDeadline;

    private bool IsPastDeadline => deadlineMs != 0 && calls.ElapsedSince(arrivedAt).TotalMilliseconds >= deadlineMs;

    /// <summary>Ends it before it begins, or between two steps while it has changed nothing.</summary>
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

    /// <summary>Gives back what its request and its result take.</summary>
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
            // Whatever the call wrote before it failed is dropped.
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
#pragma warning disable CA1031 // A fault of the server ends this call alone, with a status; the stream reports it.
        catch (Exception fault)
#pragma warning restore CA1031
        {
            calls.Report(call, fault);
            return CallError.Fault;
        }
    }
}
