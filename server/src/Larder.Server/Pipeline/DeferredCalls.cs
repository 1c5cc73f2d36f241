using System.Collections.Concurrent;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Pipeline;

/// <summary>
/// The long-running calls of one stream. Workers run them while the stream continues to read. Their results are sent out of order. If there are
/// <see cref="PipelineLimits.MaxDeferred"/> calls, or <see cref="PipelineLimits.MaxDeferredBytes"/> of requests, the stream stops reading until a call has
/// ended.
/// </summary>
#pragma warning disable CA1001 // The semaphore's wait handle is never created, and a call that has just ended may still release the semaphore.
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

    // The semaphore is released when a call has ended. The loop of the stream may be waiting for it.
    private readonly SemaphoreSlim _ended = new(0, 1);
    private int _count;
    private int _bytes;
    private volatile bool _isOver;

    /// <summary>Gets whether the limit on the number of calls or on the size of their requests is reached.</summary>
    public bool IsFull =>
        Volatile.Read(ref _count) >= PipelineLimits.MaxDeferred || Volatile.Read(ref _bytes) >= PipelineLimits.MaxDeferredBytes;

    /// <summary>Gets whether the stream has ended. Calls that have not begun are then dropped.</summary>
    public bool IsOver => _isOver;

    /// <summary>Gets the stream whose memory budget the calls use.</summary>
    public DuplexStream Stream => stream;

    public TimeSpan ElapsedSince(long timestamp) => time.GetElapsedTime(timestamp);

    public void Report(CacheCall call, Exception fault) => report(call.Name, fault);

    /// <summary>Adds a call. The caller must hold the output gate.</summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: there is not enough memory for a copy of the request.</exception>
    public void Add(in PipelineOperation operation, CacheCall call, CallTarget target, long arrivedAt)
    {
        int bytes = operation.Request.Length;
        DeferredCall deferred = new(this, operation.Id, call, target, stream.Copy(operation.Request), arrivedAt, operation.DeadlineMs);
        Interlocked.Increment(ref _count);
        Interlocked.Add(ref _bytes, bytes);
        _open[deferred] = true;
        WorkScheduler.Shared.Add(share, deferred);
    }

    /// <summary>Cancels all calls with the given ID. Does nothing if there is no such call.</summary>
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

    /// <summary>
    /// Waits until another call can be added. The caller must hold the output gate. The gate is released during the wait and acquired again before the method
    /// returns.
    /// </summary>
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

    /// <summary>Waits until all calls have ended and their results have been sent.</summary>
    public async Task DrainAsync(CancellationToken cancelled)
    {
        while (!_open.IsEmpty)
        {
            await _ended.WaitAsync(cancelled).ConfigureAwait(false);
        }
    }

    /// <summary>Drops the calls that have not begun, without a result, and waits until the other calls have ended.</summary>
    public Task StopAsync()
    {
        _isOver = true;
        return DrainAsync(CancellationToken.None);
    }

    /// <summary>Sends the result of a call that a worker has finished.</summary>
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
            // The client has disconnected, so the result cannot be sent. The loop of the stream ends for the same reason.
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
            // Another call ended at the same time and has already released the semaphore.
        }
    }
}
