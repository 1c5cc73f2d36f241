namespace Larder.Testing;

/// <summary>Options of a <see cref="LarderTestServer"/>. The defaults suit most tests.</summary>
public sealed record LarderTestServerOptions
{
    /// <summary>Gets the port on 127.0.0.1 that the server listens on, 0 to 65535. The default is 0, which selects a free port.</summary>
    public int Port { get; init; }

    /// <summary>Gets the memory limit in bytes, at least 16 MiB. A full server evicts items. Memory is allocated on demand. The default is 64 MiB.</summary>
    public long MemoryBytes { get; init; } = 64L << 20;

    /// <summary>Gets the name of the cache that exists from the start, 1 to 255 characters. The default is <c>cache</c>.</summary>
    public string CacheName { get; init; } = "cache";

    /// <summary>Gets the maximum time to live, 1 s to 365 days. The default is 24 h, as for other servers.</summary>
    public TimeSpan MaxTtl { get; init; } = TimeSpan.FromHours(24);

    /// <summary>Gets the token that each call must contain. The default is null, which disables authentication.</summary>
    public string? Token { get; init; }

    /// <summary>
    /// Gets the clock that determines when items expire. The default is the system clock. A test can pass a clock that the test controls. If the clock jumps by
    /// more than a second, the server assumes that it was paused. It then rejects calls until the clock has advanced by another 100 ms. The clients retry these
    /// calls.
    /// </summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Gets whether calls can inject faults by their metadata, as the calls of the conformance tests do. The default is false.</summary>
    public bool FaultInjection { get; init; }
}
