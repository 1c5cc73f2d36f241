using Larder.Client.Calls;

namespace Larder.Client;

/// <summary>A transport that can be used in a <see cref="GatewaySet"/>. The set has one transport per gateway.</summary>
internal interface IGatewayTransport : ITransport
{
    /// <summary>Gets whether a connection accepts new calls (GATEWAY-5). It is read for each call, so it must be fast.</summary>
    bool IsReady { get; }

    /// <summary>
    /// Gets the number of calls on the connections, including abandoned calls whose response has not arrived yet (GATEWAY-6). It is read for each call, so it
    /// must be fast.
    /// </summary>
    int InFlight { get; }

    /// <summary>
    /// Sends a call like <see cref="ITransport.Start"/> or <see cref="ITransport.Resume"/>. Returns false, without changing the call, if it would have to wait
    /// for a connection.
    /// </summary>
    bool TrySend(Call call, long version, bool isCallersThread);
}
