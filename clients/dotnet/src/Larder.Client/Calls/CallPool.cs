using System.Collections.Concurrent;
using Larder.Client.Operations;

namespace Larder.Client.Calls;

/// <summary>The idle calls of one operation. At most as many as were ever in progress at once, which the limit and the queue's bound restrict.</summary>
internal sealed class CallPool<TOperation, TResponse>(CallRunner runner)
    where TOperation : IOperation<TOperation, TResponse>
    where TResponse : class
{
    private readonly ConcurrentQueue<TypedCall<TOperation, TResponse>> _idle = new();

    public TypedCall<TOperation, TResponse> Rent() =>
        _idle.TryDequeue(out TypedCall<TOperation, TResponse>? call) ? call : new TypedCall<TOperation, TResponse>(runner, this);

    public void Return(TypedCall<TOperation, TResponse> call) => _idle.Enqueue(call);
}
