using System.Collections.Concurrent;
using System.Text;
using Larder.Server.Calls;
using Larder.Server.Faults;
using Larder.Wire;

namespace Larder.Server.Pipeline;

/// <summary>
/// The calls of one stream that fault injection holds back, at most <see cref="PipelineLimits.MaxHeldBack"/>: each is answered when its
/// delay is over, out of order, or at its deadline, or when it is cancelled.
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

    /// <summary>True at the bound: the stream reads no more until one is answered.</summary>
    public bool IsFull => Volatile.Read(ref _count) >= PipelineLimits.MaxHeldBack;

    /// <summary>Waits until a call was answered. The caller has entered the output, and has it again afterwards.</summary>
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

    /// <summary>Takes the call where the script delays or fails it; false: it runs at once.</summary>
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

    /// <summary>Drops a call that has not begun; it is answered CANCELLED. Nothing where it has ended or is unknown.</summary>
    public void Cancel(uint id)
    {
        if (_waiting.TryRemove(id, out CancellationTokenSource? cancel))
        {
            cancel.Cancel();
        }
    }

    /// <summary>Waits until every held call is answered.</summary>
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

        // Whoever removes it owns it: a cancel that came first may still be using it.
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
            // The client is gone: there is nobody to answer, and the stream's own loop ends by the same cause.
        }
        finally
        {
            output.Leave();
            Interlocked.Decrement(ref _count);
            _room.Release();
        }
    }
}
