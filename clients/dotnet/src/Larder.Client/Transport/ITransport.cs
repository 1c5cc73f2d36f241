using Larder.Client.Calls;

namespace Larder.Client;

/// <summary>
/// Sends attempts of calls to the server. It reports the outcome of each attempt once, by <see cref="Call.Complete"/> or <see cref="Call.Fail"/>; the call
/// ignores an outcome after its end. No member throws because of a call, and none runs application code.
/// </summary>
internal interface ITransport : IAsyncDisposable
{
    /// <summary>A description of the connection's state, for errors.</summary>
    string State { get; }

    /// <summary>Gets the failure of the last attempt to connect (RETRY-10), or null if there is a connection or no attempt has failed.</summary>
    Failure? Refusal => null;

    /// <summary>The number of open connections.</summary>
    int Connections { get; }

    /// <summary>Whether calls use the pipeline. Calls that it does not support are unary even then.</summary>
    bool IsPipelined { get; }

    /// <summary>
    /// Starts an attempt on the caller's own thread. The call must be <see cref="CallPhase.Busy"/>: the transport soon leaves it <see cref="CallPhase.Sent"/>,
    /// after reading what it needs.
    /// </summary>
    void Start(Call call, long version);

    /// <summary>As <see cref="Start"/>, on a thread that has other calls to serve: must return soon.</summary>
    void Resume(Call call, long version);

    /// <summary>Abandons the attempt of a call that has ended earlier (deadline, cancellation). The call is not reused before this returns.</summary>
    void Abandon(Call call, long version);

    /// <summary>Connects before the first call. Throws <see cref="Larder.Wire.RpcException"/> on failure.</summary>
    ValueTask ConnectAsync(CancellationToken cancellationToken);
}
