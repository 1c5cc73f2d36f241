using Larder.Client.Calls;

namespace Larder.Client;

/// <summary>A transport as a <see cref="FrontSet"/> sees it, which has one for each front.</summary>
internal interface IFrontTransport : ITransport
{
    /// <summary>True while a connection takes new calls (FRONT-5). Read for each call.</summary>
    bool IsReady { get; }

    /// <summary>Calls on its connections now, abandoned ones that are not answered included (FRONT-6). Read for each call.</summary>
    int InFlight { get; }

    /// <summary>
    /// As <see cref="ITransport.Start"/> or <see cref="ITransport.Resume"/>, but for a call that would wait for the connection: false, and left as it came.
    /// </summary>
    bool TrySend(Call call, long version, bool isCallersThread);
}
