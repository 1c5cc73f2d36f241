using System.Runtime.CompilerServices;
using Larder.Client.Operations;

namespace Larder.Client.Calls;

/// <summary>The call pools of one client. There is one pool per operation, created at the operation's first call.</summary>
internal sealed class CallPools(CallRunner runner)
{
    private readonly object?[] _pools = new object?[OperationTable.Count];

    public CallPool<TOperation, TResponse> Of<TOperation, TResponse>()
        where TOperation : IOperation<TOperation, TResponse>
        where TResponse : class
    {
        object? pool = Volatile.Read(ref _pools[TOperation.Info.Index]);
        return pool is null ? Make<TOperation, TResponse>() : Unsafe.As<CallPool<TOperation, TResponse>>(pool);
    }

    private CallPool<TOperation, TResponse> Make<TOperation, TResponse>()
        where TOperation : IOperation<TOperation, TResponse>
        where TResponse : class
    {
        CallPool<TOperation, TResponse> made = new(runner);
        object? there = Interlocked.CompareExchange(ref _pools[TOperation.Info.Index], made, null);
        return there is null ? made : (CallPool<TOperation, TResponse>)there;
    }
}
