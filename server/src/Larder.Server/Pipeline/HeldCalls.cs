using System.Collections.Concurrent;
using System.Text;
using Larder.Server.Calls;
using Larder.Server.Faults;
using Larder.Wire;

namespace Larder.Server.Pipeline;

/// <summary>
/// The calls of one stream that fault injection delays, at most <see cref="PipelineLimits.MaxDeferredCalls"/>. The result of a call is sent when its delay is
/// over, when its deadline passes or when it is cancelled. The results are therefore sent out of order.
/// </summary>
internal sealed class HeldCalls(
    PipelineHost host,
    FaultScript script,
    OutputGate output,
    Func<HeldCall, CallError?, CancellationToken, ValueTask> answer) : IDisposable
{
    private readonly SemaphoreSlim _room = new(0);
    private readonly ConcurrentDictionary<uint, CancellationTokenSource> _waiting = new();
    private readonly ConcurrentDictionary<Task, bool> _tasks = new();
    private readonly CancellationTokenSource _end = new();
    private int _count;

    /// <summary>Gets whether the maximum number of delayed calls is reached. In this case, the stream stops reading until a call has completed.</summary>
    public bool IsFull => Volatile.Read(ref _count) >= PipelineLimits.MaxDeferredCalls;

    /// <summary>
    /// Waits until a call has completed. The caller must hold the output gate. The gate is released during the wait and acquired again before the method
    /// returns.
    /// </summary>
    public async ValueTask WaitForRoomAsync(CancellationToken cancelled)
    {
        output.Leave();
        try
        {
            while (IsFull)
            {
                await _room.WaitAsync(cancelled).ConfigureAwait(false);
            }
        }
        finally
        {
            await output.EnterAsync(CancellationToken.None).ConfigureAwait(false);
        }
    }

    /// <summary>Takes over the call if the fault script delays it or makes it fail. Returns false if the call must run immediately.</summary>
    public bool TryHold(in PipelineOperation operation)
    {
        if (PipelineCalls.Find(operation.CallField) is not { } call)
        {
            return false;
        }

        FaultDecision decision = host.Injector!.Decide(script, call.KebabName);
        if (decision is { Delay.Ticks: 0, Error: null })
        {
            return false;
        }

        HeldCall held = new(operation.Id, Encoding.UTF8.GetString(operation.Cache), operation.DeadlineMs, operation.CallField, operation.Request.ToArray());
        CancellationTokenSource cancel = CancellationTokenSource.CreateLinkedTokenSource(_end.Token);
        _waiting[held.Id] = cancel;
        Interlocked.Increment(ref _count);
        Task task = HoldAsync(held, decision, cancel);
        _tasks[task] = true;
        _ = task.ContinueWith(
            static (ended, tasks) => ((ConcurrentDictionary<Task, bool>)tasks!).TryRemove(ended, out _),
            _tasks,
            CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);
        return true;
    }

    /// <summary>Cancels a call that has not begun. Its result is CANCELLED. Does nothing if the call has ended or the ID is unknown.</summary>
    public void Cancel(uint id)
    {
        if (_waiting.TryRemove(id, out CancellationTokenSource? cancel))
        {
            cancel.Cancel();
        }
    }

    /// <summary>Waits until the results of all delayed calls have been sent.</summary>
    public Task DrainAsync() => Task.WhenAll(_tasks.Keys);

    public void Dispose()
    {
        _end.Cancel();
        _end.Dispose();
    }

    private async Task HoldAsync(HeldCall call, FaultDecision decision, CancellationTokenSource cancel)
    {
        await Task.Yield();
        CallError? error = decision.Error;
        try
        {
            TimeSpan deadline = TimeSpan.FromMilliseconds(call.DeadlineMs);
            bool isLate = call.DeadlineMs != 0 && deadline <= decision.Delay;
            await Task.Delay(isLate ? deadline : decision.Delay, host.TimeProvider, cancel.Token).ConfigureAwait(false);
            error = isLate ? CallError.PastDeadline : error;
        }
        catch (OperationCanceledException)
        {
            error = CallError.Cancelled;
        }

        // Only the thread that removes the call may dispose its cancellation source, because a concurrent cancellation may still be using it.
        if (_waiting.TryRemove(call.Id, out _))
        {
            cancel.Dispose();
        }

        await AnswerAsync(call, error).ConfigureAwait(false);
    }

    private async Task AnswerAsync(HeldCall call, CallError? error)
    {
        await output.EnterAsync(CancellationToken.None).ConfigureAwait(false);
        try
        {
            await answer(call, error, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is OperationCanceledException or IOException or RpcException or InvalidOperationException)
        {
            // The client has disconnected, so the result cannot be sent. The loop of the stream ends for the same reason.
        }
        finally
        {
            output.Leave();
            Interlocked.Decrement(ref _count);
            _room.Release();
        }
    }
}
