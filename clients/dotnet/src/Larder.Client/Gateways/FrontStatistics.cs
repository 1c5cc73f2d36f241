namespace Larder.Client;

/// <summary>What a client holds of one front at one moment (FRONT-13).</summary>
public sealed record FrontStatistics
{
    /// <summary>
    /// Its address: scheme, host and port; of a name with several addresses, with the one that it stands for behind: <c>http://cache:8080/ (10.0.0.1)</c>.
    /// </summary>
    public required string Address { get; init; }

    /// <summary>Connections open to it.</summary>
    public required int Connections { get; init; }

    /// <summary>Calls on them, those included that were given up and are not answered yet.</summary>
    public required int InFlight { get; init; }

    /// <summary>True while it gets no calls, as it has no connection that takes them; it is being connected in the background, once there was a call.</summary>
    public required bool IsLeftOut { get; init; }
}
