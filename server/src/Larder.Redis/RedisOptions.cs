using System.Net.Security;

namespace Larder.Redis;

/// <summary>The location of the engine and the connection options. Created by <see cref="Parse"/>; the password is never included in its text.</summary>
public sealed partial record RedisOptions
{
    /// <summary>Gets the endpoints from which the cluster is discovered: at least one. They are tried in turn until one responds.</summary>
    public required IReadOnlyList<RedisEndPoint> EndPoints { get; init; }

    /// <summary>Gets the ACL user; null for the engine's <c>default</c>.</summary>
    public string? User { get; init; }

    /// <summary>Gets the password; null for none.</summary>
    public string? Password { get; init; }

    /// <summary>Gets the TLS options; the certificate and the host name are verified. Null for plaintext. <c>rediss://</c> sets it.</summary>
    public SslClientAuthenticationOptions? Tls { get; init; }

    /// <summary>Gets the client name that CLIENT LIST shows. It must not contain spaces. The default is <c>larder</c>.</summary>
    public string ClientName { get; init; } = "larder";

    /// <summary>Gets the scripts to load on each new connection. The default is none.</summary>
    public IReadOnlyList<RedisScript> Scripts { get; init; } = [];

    /// <summary>Gets the clock for deadlines, waits and timers. The default is the system's.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>
    /// Gets a callback for notices to the operator, one sentence each: a node lost or back, a rejected password, a setting that should be changed. It
    /// is called on any thread and must not block. The default is none.
    /// </summary>
    public Action<RedisNotice>? OnNotice { get; init; }

    /// <summary>
    /// Gets a callback that runs after all replies or failures of one read or one tick have been delivered, on the same thread. Output that they
    /// produced can then be sent at once. The default is none.
    /// </summary>
    public Action? OnBatchEnd { get; init; }

    /// <summary>
    /// Gets the maximum time for establishing a connection, including TLS and HELLO. The default is 1 s, the limit that FLEET-5 sets for a reply.
    /// </summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Gets how long a node may send nothing while commands are outstanding before its connection is closed. The default is 1 s (FLEET-5).</summary>
    public TimeSpan SilenceLimit { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Gets how long a command without a deadline is retried. The default is 5 s.</summary>
    public TimeSpan RetryTime { get; init; } = TimeSpan.FromSeconds(5);
}
