using System.Runtime.CompilerServices;
using Larder.Client.Operations;

namespace Larder.Client.Calls;

/// <summary>One client's pools, one for each operation, found by an index that each operation's type has.</summary>
internal sealed class CallPools(CallExecutor executor)
{
    // More than there are operations.
    private const int MostOperations = 64;

    private readonly object?[] _pools = new object?[MostOperations];

    public CallPool<TOperation, TResponse> Of<TOperation, TResponse>()
        where TOperation : struct, IOperation<TOperation, TResponse>
        where TResponse : class
    {
        object? pool = Volatile.Read(ref _pools[Index<TOperation>.Value]);
        return pool is null ? Make<TOperation, TResponse>() : Unsafe.As<CallPool<TOperation, TResponse>>(pool);
    }

    private CallPool<TOperation, TResponse> Make<TOperation, TResponse>()
        where TOperation : struct, IOperation<TOperation, TResponse>
        where TResponse : class
    {
        CallPool<TOperation, TResponse> made = new(executor);
        object? there = Interlocked.CompareExchange(ref _pools[Index<TOperation>.Value], made, null);
        return there is null ? made : (CallPool<TOperation, TResponse>)there;
    }

    private static class Index<TOperation>
    {
        public static readonly int Value = IndexSource.Next();
    }

    private static class IndexSource
    {
        private static int _last = -1;

        public static int Next() => Interlocked.Increment(ref _last);
    }
}
