using Larder.Client.Calls;

namespace Larder.Client;

/// <summary>
/// Sends attempts of calls to the server. The transport reports the outcome of each attempt once, by calling <see cref="Call.Complete"/> or
/// <see cref="Call.Fail"/>. A call that has ended ignores the outcome. No member throws because of the failure of a call, and no member runs application code.
/// </summary>
internal interface ITransport : IAsyncDisposable
{
    /// <summary>Gets a description of the connection's state for error messages.</summary>
    string State { get; }

    /// <summary>Gets the failure of the last attempt to connect (RETRY-10), or null if there is a connection or no attempt has failed.</summary>
    Failure? Refusal => null;

    /// <summary>Gets the number of open connections.</summary>
    int Connections { get; }

    /// <summary>Gets whether calls use the pipeline. If true, calls that the pipeline does not support are still unary.</summary>
    bool IsPipelined { get; }

    /// <summary>
    /// Starts an attempt on the caller's own thread. The call must be <see cref="CallPhase.Busy"/>. The transport reads what it needs from the call and then
    /// moves it to <see cref="CallPhase.Sent"/>, without blocking in between.
    /// </summary>
    void Start(Call call, long version);

    /// <summary>Starts an attempt as <see cref="Start"/> does, but on a thread that also handles other calls. Must return quickly.</summary>
    void Resume(Call call, long version);

    /// <summary>
    /// Abandons the attempt of a call that has ended without a response, because of its deadline or a cancellation. The call object is not reused before this
    /// method returns.
    /// </summary>
    void Abandon(Call call, long version);

    /// <summary>Connects before the first call. Throws <see cref="Larder.Wire.RpcException"/> on failure.</summary>
    ValueTask ConnectAsync(CancellationToken cancellationToken);
}
