using System.Collections.Concurrent;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Pipeline;

/// <summary>
/// The calls of one stream that take long. Workers run them while the stream reads on, and they are answered out of order. At
/// <see cref="PipelineLimits.MaxDeferred"/> calls, or <see cref="PipelineLimits.MaxDeferredBytes"/> of requests, the stream reads no more until one has ended.
/// </summary>
#pragma warning disable CA1001 // The semaphore's wait handle is never created; and a call that has just ended may still release it.
internal sealed class DeferredCalls(
    DuplexStream stream,
    TimeProvider time,
    WorkShare share,
    OutputGate output,
    Func<DeferredCall, ValueTask> answer,
    Action<string, Exception> report)
#pragma warning restore CA1001
{
    private readonly ConcurrentDictionary<DeferredCall, bool> _open = new();

    // Set when a call has ended, for the one who waits for that.
    private readonly SemaphoreSlim _ended = new(0, 1);
    private int _count;
    private int _bytes;
    private volatile bool _isOver;

    /// <summary>True at the bound.</summary>
    public bool IsFull =>
        Volatile.Read(ref _count) >= PipelineLimits.MaxDeferred || Volatile.Read(ref _bytes) >= PipelineLimits.MaxDeferredBytes;

    /// <summary>True once the stream has ended: calls that have not begun are dropped.</summary>
    public bool IsOver => _isOver;

    /// <summary>What counts the memory that the calls hold.</summary>
    public DuplexStream Stream => stream;

    public TimeSpan ElapsedSince(long timestamp) => time.GetElapsedTime(timestamp);

    public void Report(CacheCall call, Exception fault) => report(call.Name, fault);

    /// <summary>Adds a call. The caller has entered the output.</summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: there is no memory for the copy of its request.</exception>
    public void Add(in PipelineOperation operation, CacheCall call, CallTarget target, long arrivedAt)
    {
        int bytes = operation.Request.Length;
        DeferredCall deferred = new(this, operation.Id, call, target, stream.Copy(operation.Request), arrivedAt, operation.DeadlineMs);
        Interlocked.Increment(ref _count);
        Interlocked.Add(ref _bytes, bytes);
        _open[deferred] = true;
        WorkScheduler.Shared.Add(share, deferred);
    }

    /// <summary>Cancels the calls of an id; nothing happens if there is none.</summary>
    public void Cancel(uint id)
    {
        foreach ((DeferredCall call, _) in _open)
        {
            if (call.Id == id)
            {
                call.Cancel();
            }
        }
    }

    /// <summary>Waits until there is room. The caller has entered the output, and has it again afterwards.</summary>
    public async ValueTask WaitForRoomAsync(CancellationToken cancelled)
    {
        output.Leave();
        try
        {
            while (IsFull)
            {
                await _ended.WaitAsync(cancelled).ConfigureAwait(false);
            }
        }
        finally
        {
            await output.EnterAsync(CancellationToken.None).ConfigureAwait(false);
        }
    }

    /// <summary>Waits until every call has ended and was answered.</summary>
    public async Task DrainAsync(CancellationToken cancelled)
    {
        while (!_open.IsEmpty)
        {
            await _ended.WaitAsync(cancelled).ConfigureAwait(false);
        }
    }

    /// <summary>Ends those that have not begun, without an answer, and waits for the others.</summary>
    public Task StopAsync()
    {
        _isOver = true;
        return DrainAsync(CancellationToken.None);
    }

    /// <summary>The call has ended, on a worker.</summary>
    public void Ended(DeferredCall call) => _ = AnswerAsync(call);

    private async Task AnswerAsync(DeferredCall call)
    {
        try
        {
            if (!_isOver)
            {
                await output.EnterAsync(CancellationToken.None).ConfigureAwait(false);
                try
                {
                    await answer(call).ConfigureAwait(false);
                }
                finally
                {
                    output.Leave();
                }
            }
        }
        catch (Exception exception) when (exception is OperationCanceledException or IOException or RpcException or InvalidOperationException)
        {
            // The client is gone: nobody is left to answer, and the stream's own loop ends by the same cause.
        }
        finally
        {
            Interlocked.Decrement(ref _count);
            Interlocked.Add(ref _bytes, -call.RequestBytes);
            call.LetGo();
            _open.TryRemove(call, out _);
            SignalEnded();
        }
    }

    private void SignalEnded()
    {
        try
        {
            if (_ended.CurrentCount == 0)
            {
                _ended.Release();
            }
        }
        catch (SemaphoreFullException)
        {
            // Another call has ended at the same moment, and set it.
        }
    }
}
