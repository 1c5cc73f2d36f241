using Larder.Client.Calls;

namespace Larder.Client;

/// <summary>
/// Carries attempts of calls to the server. Tells each attempt's outcome once, by <see cref="Call.Complete"/> or
/// <see cref="Call.Fail"/>; an outcome that comes after the call's end is ignored by the call itself.
/// None of its members throws for a call's sake, and none runs a caller's code.
/// </summary>
internal interface ITransport : IAsyncDisposable
{
    /// <summary>The connection's state in words, for errors.</summary>
    string State { get; }

    /// <summary>Why no connection can be made at the moment: the last try's failure (RETRY-10); null where there is one, or no try failed.</summary>
    Failure? Refusal => null;

    /// <summary>Connections open now.</summary>
    int Connections { get; }

    /// <summary>True while calls travel by the pipeline; those that it does not carry are unary all the same.</summary>
    bool IsPipelined { get; }

    /// <summary>
    /// Starts an attempt on the caller's own thread. The call comes <see cref="CallPhase.Busy"/>: the transport reads what it needs of it and
    /// leaves it <see cref="CallPhase.Sent"/>, soon.
    /// </summary>
    void Start(Call call, long version);

    /// <summary>The same, on a thread that has other calls to serve: must return soon.</summary>
    void Resume(Call call, long version);

    /// <summary>
    /// The call ended before its attempt did (deadline, cancellation): nobody waits for the outcome. The call is not reused before this returns.
    /// </summary>
    void Abandon(Call call, long version);

    /// <summary>Connects before the first call. Throws <see cref="Larder.Wire.RpcException"/> where that fails.</summary>
    ValueTask ConnectAsync(CancellationToken cancellationToken);
}
