using System.Collections.Concurrent;
using Larder.Client.Operations;

namespace Larder.Client.Calls;

/// <summary>
/// The idle call objects of one operation. Their number is at most the largest number of calls that were in progress at the same time. The concurrency limit
/// and the queue limit restrict that number.
/// </summary>
internal sealed class CallPool<TOperation, TResponse>(CallRunner runner)
    where TOperation : IOperation<TOperation, TResponse>
    where TResponse : class
{
    private readonly ConcurrentQueue<TypedCall<TOperation, TResponse>> _idle = new();

    public TypedCall<TOperation, TResponse> Rent() =>
        _idle.TryDequeue(out TypedCall<TOperation, TResponse>? call) ? call : new TypedCall<TOperation, TResponse>(runner, this);

    public void Return(TypedCall<TOperation, TResponse> call) => _idle.Enqueue(call);
}
