namespace Larder.Client.Calls;

/// <summary>
/// Runs an asynchronous operation of this library while its caller blocks, without requiring a free thread of the thread pool.
/// <para>
/// Design: if a task completes while an async method is about to await it, .NET queues the rest of the method to the thread pool. To avoid this, the calls of
/// an operation are held: they appear incomplete until all methods of the operation have returned to this class. At that point each method has registered its
/// continuation. The rest of the operation runs on the thread that completes the call. It runs in a scope of its own, because it may make further calls.
/// </para>
/// </summary>
internal sealed class BlockingScope
{
    [ThreadStatic]
    private static BlockingScope? s_current;

    private readonly Queue<Call> _held = new();

    /// <summary>Gets the scope of this thread, or null if the thread has no scope.</summary>
    public static BlockingScope? Current => s_current;

    /// <summary>Sets the scope of this thread, or removes it if <paramref name="scope"/> is null. Returns the previous scope, or null.</summary>
    public static BlockingScope? Exchange(BlockingScope? scope)
    {
        BlockingScope? before = s_current;
        s_current = scope;
        return before;
    }

    /// <summary>Runs an operation and blocks until it completes.</summary>
    public static TResult Wait<TState, TResult>(TState state, Func<TState, Task<TResult>> operation)
    {
        Task<TResult>? running = null;
        Run(() => running = operation(state));
        return running!.GetAwaiter().GetResult();
    }

    /// <summary>Runs an operation without a result and blocks until it completes.</summary>
    public static void Wait<TState>(TState state, Func<TState, Task> operation)
    {
        Task? running = null;
        Run(() => running = operation(state));
        running!.GetAwaiter().GetResult();
    }

    /// <summary>Runs the beginning or the continuation of an operation in a new scope. Then releases the calls that the scope held.</summary>
    public static void Run(Action part)
    {
        BlockingScope scope = new();
        BlockingScope? outer = Exchange(scope);
        try
        {
            part();
        }
        finally
        {
            // Releasing a call that has already completed runs its continuation here, which may add further calls.
            while (scope._held.TryDequeue(out Call? call))
            {
                call.Release();
            }

            s_current = outer;
        }
    }

    /// <summary>Adds a held call, which is released at the end of the scope.</summary>
    public void Add(Call call) => _held.Enqueue(call);
}
