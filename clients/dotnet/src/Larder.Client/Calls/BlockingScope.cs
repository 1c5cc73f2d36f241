namespace Larder.Client.Calls;

/// <summary>
/// Runs an asynchronous operation of this library whose caller's thread waits for it, such that it needs no free thread of the pool.
/// <para>
/// Design. If a task completes while an asynchronous method is about to await it, .NET queues the rest of the method to the pool. So the calls of an operation
/// appear to be incomplete until all its methods have returned here: by then each of them awaits what it awaits. The rest of the operation runs where its call
/// is completed, in a scope of the same kind, as it may make further calls.
/// </para>
/// </summary>
internal sealed class BlockingScope
{
    [ThreadStatic]
    private static BlockingScope? s_current;

    private readonly Queue<Call> _held = new();

    /// <summary>The scope that this thread is in; null: none.</summary>
    public static BlockingScope? Current => s_current;

    /// <summary>Puts this thread into a scope; null: into none. Returns the one that it was in.</summary>
    public static BlockingScope? Exchange(BlockingScope? scope)
    {
        BlockingScope? before = s_current;
        s_current = scope;
        return before;
    }

    /// <summary>Runs an operation and waits for it on this thread.</summary>
    public static TResult Wait<TState, TResult>(TState state, Func<TState, Task<TResult>> operation)
    {
        Task<TResult>? running = null;
        Run(() => running = operation(state));
        return running!.GetAwaiter().GetResult();
    }

    /// <summary>The same, without a result.</summary>
    public static void Wait<TState>(TState state, Func<TState, Task> operation)
    {
        Task? running = null;
        Run(() => running = operation(state));
        running!.GetAwaiter().GetResult();
    }

    /// <summary>Runs what begins or continues an operation. The calls that it makes are released at its end.</summary>
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
            // One that is completed by now continues here, and may make another.
            while (scope._held.TryDequeue(out Call? call))
            {
                call.Release();
            }

            s_current = outer;
        }
    }

    /// <summary>Has a call released with this scope. It has been held.</summary>
    public void Add(Call call) => _held.Enqueue(call);
}
