using System.Runtime.CompilerServices;

namespace Larder.Wire.Threads;

/// <summary>
/// Awaits a task and continues as a work item of a queue. Unlike <c>ConfigureAwait(false)</c>, this method needs no free pool thread if the task completes
/// while it is being awaited. It also runs no continuation on the thread that completes the task, because that thread may hold a lock.
/// </summary>
internal static class PoolQueueAwaiting
{
    public static Awaitable On(this Task task, PoolQueue queue) => new(task, queue);

    public static Awaitable On(this ValueTask task, PoolQueue queue) => new(task.AsTask(), queue);

    public static Awaitable<TResult> On<TResult>(this Task<TResult> task, PoolQueue queue) => new(task, queue);

    public static Awaitable<TResult> On<TResult>(this ValueTask<TResult> task, PoolQueue queue) => new(task.AsTask(), queue);

    /// <summary>
    /// Awaits a task like <c>ConfigureAwait(false)</c>, without switching threads. While the thread pool is late, this method behaves like
    /// <see cref="On(Task, PoolQueue)"/>. Use this method for frequent awaits after which application code runs, because that code may block.
    /// </summary>
    public static PoolAwareAwaitable<TResult> WithPoolCheck<TResult>(this ValueTask<TResult> task) => !task.IsCompleted && PoolState.IsLate
        ? new(new ValueTask<TResult>(task.AsTask()), isLate: true)
        : new(task, isLate: false);

    private static void Continue(Task task, PoolQueue queue, Action continuation) => task.ContinueWith(
        static (_, state) =>
        {
            (PoolQueue queue, Action continuation) = ((PoolQueue, Action))state!;
            queue.Add(static resume => resume(), continuation);
        },
        (queue, continuation),
        CancellationToken.None,
        TaskContinuationOptions.ExecuteSynchronously,
        TaskScheduler.Default);

    public readonly struct PoolAwareAwaitable<TResult>(ValueTask<TResult> task, bool isLate) : ICriticalNotifyCompletion
    {
        public bool IsCompleted => task.IsCompleted;

        public PoolAwareAwaitable<TResult> GetAwaiter() => this;

        public TResult GetResult() => task.GetAwaiter().GetResult();

        public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

        public void UnsafeOnCompleted(Action continuation)
        {
            if (isLate)
            {
                Continue(task.AsTask(), PoolQueue.Callers, continuation);
            }
            else
            {
                task.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(continuation);
            }
        }
    }

    public readonly struct Awaitable(Task task, PoolQueue queue) : ICriticalNotifyCompletion
    {
        public bool IsCompleted => task.IsCompleted;

        public Awaitable GetAwaiter() => this;

        public void GetResult() => task.GetAwaiter().GetResult();

        public void OnCompleted(Action continuation) => Continue(task, queue, continuation);

        public void UnsafeOnCompleted(Action continuation) => Continue(task, queue, continuation);
    }

    public readonly struct Awaitable<TResult>(Task<TResult> task, PoolQueue queue) : ICriticalNotifyCompletion
    {
        public bool IsCompleted => task.IsCompleted;

        public Awaitable<TResult> GetAwaiter() => this;

        public TResult GetResult() => task.GetAwaiter().GetResult();

        public void OnCompleted(Action continuation) => Continue(task, queue, continuation);

        public void UnsafeOnCompleted(Action continuation) => Continue(task, queue, continuation);
    }
}
