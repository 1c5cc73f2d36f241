using System.Net.Security;

namespace Larder.Redis;

/// <summary>
/// The location of the engine, and the connection options. Created by <see cref="Parse"/>. <see cref="ToString"/> never returns the password.
/// </summary>
public sealed partial record RedisOptions
{
    /// <summary>Gets the endpoints from which the cluster is discovered. There must be at least one. They are tried in turn until one responds.</summary>
    public required IReadOnlyList<RedisEndPoint> EndPoints { get; init; }

    /// <summary>Gets the ACL user; null for the engine's <c>default</c>.</summary>
    public string? User { get; init; }

    /// <summary>Gets the password; null if no password is used.</summary>
    public string? Password { get; init; }

    /// <summary>Gets the TLS options; null for plaintext. <c>rediss://</c> sets them. The certificate and the host name are verified.</summary>
    public SslClientAuthenticationOptions? Tls { get; init; }

    /// <summary>Gets the client name that CLIENT LIST shows. It must not contain spaces. The default is <c>larder</c>.</summary>
    public string ClientName { get; init; } = "larder";

    /// <summary>Gets the scripts to load on each new connection. The default is an empty list.</summary>
    public IReadOnlyList<RedisScript> Scripts { get; init; } = [];

    /// <summary>Gets the clock for deadlines, waits and timers. The default is the system clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>
    /// Gets a callback for notices to the operator, each of which is one sentence. Examples: a node was lost or is reachable again, a password was rejected, a
    /// setting should be changed. The callback is called on any thread and must not block. The default is no callback.
    /// </summary>
    public Action<RedisNotice>? OnNotice { get; init; }

    /// <summary>
    /// Gets a callback that runs after a series of replies or failures has been delivered, on the same thread. Use it to send the output for all of them in one
    /// write. The default is no callback.
    /// </summary>
    public Action? OnBatchEnd { get; init; }

    /// <summary>
    /// Gets the maximum time for establishing a connection, including TLS and HELLO. The default is 1 s, the limit that FLEET-5 sets for a reply.
    /// </summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Gets the maximum time for which a node may send nothing while commands are outstanding. If the node is silent for longer, the connection is closed. The
    /// default is 1 s (FLEET-5).
    /// </summary>
    public TimeSpan SilenceLimit { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Gets the maximum time for which a command without a deadline is retried. The default is 5 s.</summary>
    public TimeSpan RetryTime { get; init; } = TimeSpan.FromSeconds(5);
}
