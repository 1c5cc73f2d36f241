using System.Net.Security;

namespace Larder.Redis;

/// <summary>Where the engine is and how it is spoken to. Made by <see cref="Parse"/>; never prints the password.</summary>
public sealed partial record RedisOptions
{
    /// <summary>Where to ask for the cluster; at least one. Each in turn, until one answers.</summary>
    public required IReadOnlyList<RedisEndPoint> EndPoints { get; init; }

    /// <summary>The ACL user; null for the engine's <c>default</c>.</summary>
    public string? User { get; init; }

    /// <summary>The password; null for none.</summary>
    public string? Password { get; init; }

    /// <summary>TLS, with verification of the certificate and of the name that was connected to. Null: plaintext. <c>rediss://</c> sets it.</summary>
    public SslClientAuthenticationOptions? Tls { get; init; }

    /// <summary>The name that the engine shows in CLIENT LIST. Default <c>larder</c>; no spaces.</summary>
    public string ClientName { get; init; } = "larder";

    /// <summary>Scripts that are loaded on each new connection. Default none.</summary>
    public IReadOnlyList<RedisScript> Scripts { get; init; } = [];

    /// <summary>The clock of deadlines, waits and timers. Default the system's.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>
    /// Told what an operator should know, one sentence each: a node lost or back, a refused password, a setting that should be another. On any thread; it may
    /// not block. Default nobody.
    /// </summary>
    public Action<RedisNotice>? OnNotice { get; init; }

    /// <summary>
    /// Called on the thread that delivered answers or failures, after all of one read or one tick: what they wrote can be sent in one piece. Default nothing.
    /// </summary>
    public Action? OnBatchEnd { get; init; }

    /// <summary>How long a connection may take to be made, TLS and HELLO with it. Default 1 s: FLEET-5's for an answer.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>A node with calls outstanding that says nothing for this long has its connection closed. Default 1 s (FLEET-5).</summary>
    public TimeSpan SilenceLimit { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>How long a command without a deadline is tried again. Default 5 s.</summary>
    public TimeSpan RetryTime { get; init; } = TimeSpan.FromSeconds(5);
}
