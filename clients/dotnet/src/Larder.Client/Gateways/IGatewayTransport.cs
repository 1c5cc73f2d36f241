using Larder.Client.Calls;

namespace Larder.Client;

/// <summary>A transport for use in a <see cref="GatewaySet"/>, which has one per gateway.</summary>
internal interface IGatewayTransport : ITransport
{
    /// <summary>Whether a connection accepts new calls (GATEWAY-5). Read for each call.</summary>
    bool IsReady { get; }

    /// <summary>The number of calls on the connections, including abandoned ones that are not answered yet (GATEWAY-6). Read for each call.</summary>
    int InFlight { get; }

    /// <summary>
    /// Sends a call like <see cref="ITransport.Start"/> or <see cref="ITransport.Resume"/>. Returns false, without changing the call, if it would have to wait
    /// for a connection.
    /// </summary>
    bool TrySend(Call call, long version, bool isCallersThread);
}
