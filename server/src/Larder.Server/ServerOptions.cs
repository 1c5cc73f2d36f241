using System.Net;
using Larder.Redis;
using Larder.Server.Configuration;
using Larder.Server.Near;
using Larder.Server.Pauses;
using Larder.Server.Topics;
using Microsoft.Extensions.Logging;

namespace Larder.Server;

/// <summary>The options of a server. Immutable. <see cref="Validate"/> checks them once.</summary>
public sealed record ServerOptions
{
    /// <summary>
    /// Gets the address on which the server listens for data, control and pipeline calls. The default is loopback. Other addresses require authentication; see
    /// <see cref="AllowAnyone"/>.
    /// </summary>
    public IPAddress Host { get; init; } = IPAddress.Loopback;

    /// <summary>Gets the data port, 0 to 65535. If it is 0, a free port is used. The default is 8080.</summary>
    public int Port { get; init; } = 8080;

    /// <summary>
    /// Gets the port of the console (<c>/health</c>, <c>/metrics</c>, <c>/stats</c>), 0 to 65535. If it is 0, a free port is used. The default is 8081.
    /// </summary>
    public int ConsolePort { get; init; } = 8081;

    /// <summary>Gets the address on which the console listens. The default is loopback. Other addresses require a console token.</summary>
    public IPAddress ConsoleHost { get; init; } = IPAddress.Loopback;

    /// <summary>Gets the token required for console requests, except for <c>/health</c>; null if no token is required. It is never logged.</summary>
    public string? ConsoleToken { get; init; }

    /// <summary>
    /// Gets the path of the file whose first line is the console's token. It can be set instead of <see cref="ConsoleToken"/>; null if not used.
    /// </summary>
    public string? ConsoleTokenPath { get; init; }

    /// <summary>
    /// Gets the token that allows the console's page to show keys and values and to perform actions: create, flush and delete caches, delete items. If it is
    /// null and <see cref="TokensPath"/> is null, these actions depend on the console's address. On loopback, every caller with access to the console may
    /// perform them. On other addresses, no caller may. If there is a token file, callers whose token has the <c>admin</c> role for all caches may perform them
    /// on any address. The admin token must differ from <see cref="ConsoleToken"/>. It is never logged.
    /// </summary>
    public string? ConsoleAdminToken { get; init; }

    /// <summary>
    /// Gets the path of the file whose first line is the admin token. It can be set instead of <see cref="ConsoleAdminToken"/>; null if not used.
    /// </summary>
    public string? ConsoleAdminTokenPath { get; init; }

    /// <summary>
    /// Gets the host names under which browsers may request the console's page. <c>localhost</c> and the addresses on which the console listens are always
    /// allowed. Requests for other host names are rejected, because they could come from a page of another site. The default is empty.
    /// </summary>
    public IReadOnlyList<string> ConsoleNames { get; init; } = [];

    /// <summary>
    /// Gets the address under which clients reach this server, such as <c>cache.example.com</c> or <c>cache.example.com:443</c>. Disposable tokens contain it.
    /// Set it for servers and gateways behind a load balancer. If it is null (the default), the address is the one on which the server listens, or the host
    /// name if the server listens on all addresses.
    /// </summary>
    public string? Advertised { get; init; }

    /// <summary>
    /// Gets the memory limit in bytes, for the store and the buffers of all connections. The minimum is 16 MiB. The buffers get 1/8 of the limit, but at least
    /// 32 MiB and at most half. The default is 1/4 of the memory available to the process, at least 16 MiB.
    /// </summary>
    public long MemoryBytes { get; init; } = DefaultMemoryBytes;

    /// <summary>Gets the name of the cache that is created at startup. It has 1 to 255 characters. The default is "cache".</summary>
    public string DefaultCache { get; init; } = "cache";

    /// <summary>Gets the maximum number of concurrent streams per connection, 100 to 10,000. The default is 100, which public clients expect.</summary>
    public int MaxStreamsPerConnection { get; init; } = 100;

    /// <summary>
    /// Gets the maximum number of open connections, at least 1. When it is reached, a new connection replaces a connection without a valid call. If there is no
    /// such connection, the new connection is closed. The default is 10,000, or fewer if the limit of open files is too low: each connection needs one file
    /// descriptor, and some are reserved for the console and files. With TLS, the maximum is one connection per 256 KB of <see cref="MemoryBytes"/>.
    /// </summary>
    public int MaxConnections { get; init; } = 10_000;

    /// <summary>Gets the maximum size of a key and its value together, in bytes. The default is 4,883 KiB, as the contract requires.</summary>
    public int MaxItemBytes { get; init; } = 4_883 * 1024;

    /// <summary>
    /// Gets the maximum TTL that a call may set, 1 s to 365 days. The default is 24 h (86,400 s), as the contract requires. ListCaches reports it in whole
    /// seconds.
    /// </summary>
    public TimeSpan MaxTtl { get; init; } = TimeSpan.FromHours(24);

    /// <summary>Gets the path of the PEM file with the server's certificate and its chain; null to listen in plaintext.</summary>
    public string? TlsCertificatePath { get; init; }

    /// <summary>Gets the path of the PEM file with the private key of the certificate. Required if <see cref="TlsCertificatePath"/> is set.</summary>
    public string? TlsKeyPath { get; init; }

    /// <summary>
    /// Gets the path of the PEM file with the certificate authorities for client certificates. One of them must have issued a client's certificate. Null if
    /// client certificates are not requested. Requires <see cref="TlsCertificatePath"/>.
    /// </summary>
    public string? ClientAuthorityPath { get; init; }

    /// <summary>Gets the token required for every call; null if no token is required. It is never logged.</summary>
    public string? Token { get; init; }

    /// <summary>
    /// Gets the path of the file whose first line is the token. It can be set instead of <see cref="Token"/>; null if not used. The file is read at startup and
    /// on each reload.
    /// </summary>
    public string? TokenPath { get; init; }

    /// <summary>
    /// Gets the path of the token file. It contains the digests of tokens, with the grants and the expiry of each token (docs/guides/security.md). The file is
    /// reloaded when it changes. If it is null, callers have all rights; they must present the single token if one is configured.
    /// </summary>
    public string? TokensPath { get; init; }

    /// <summary>
    /// Gets the path of the file with the keys that sign disposable tokens (docs/guides/security.md). Gateways share this file. It is reloaded when it changes.
    /// Requires <see cref="TokensPath"/>. If it is null, the server neither issues nor accepts disposable tokens.
    /// </summary>
    public string? TokenKeyPath { get; init; }

    /// <summary>
    /// Gets whether the server may listen on an address other than loopback without any authentication. If it does, TLS is required. If this option is false
    /// (the default), a server on such an address starts only if <see cref="Token"/>, <see cref="TokenPath"/>, <see cref="TokensPath"/> or
    /// <see cref="ClientAuthorityPath"/> is set.
    /// </summary>
    public bool AllowAnyone { get; init; }

    /// <summary>
    /// Gets the store of the items. The value <c>memory</c> means the memory of this process. Any other value is the URL of a cluster, such as
    /// <c>redis://user:password@host:port,host:port</c> (<c>rediss://</c> for TLS). The default is <c>memory</c>. A password in the URL is never logged.
    /// </summary>
    public string Store { get; init; } = MemoryStore;

    /// <summary>
    /// Gets the path of the file whose first line is the password of Redis. It can be set instead of a password in <see cref="Store"/>; null if not used. The
    /// file is read at startup.
    /// </summary>
    public string? StorePasswordPath { get; init; }

    /// <summary>
    /// Gets the path of the PEM file with the certificate authorities that issue the nodes' certificates; null to trust those of the system. Requires a
    /// <see cref="Store"/> with TLS. The file is read at startup.
    /// </summary>
    public string? StoreAuthorityPath { get; init; }

    /// <summary>
    /// Gets the path of the PEM file with the certificate that a gateway presents to the nodes, and its chain; null to present none. Requires a
    /// <see cref="Store"/> with TLS. The file is read at startup.
    /// </summary>
    public string? StoreCertificatePath { get; init; }

    /// <summary>Gets the path of the PEM file with the private key of <see cref="StoreCertificatePath"/>. Both must be set together.</summary>
    public string? StoreKeyPath { get; init; }

    /// <summary>
    /// Gets the path of the snapshot file. The caches are written to this file on shutdown and on request, and loaded from it at startup. If it is null, the
    /// caches are empty after a restart. The folder of the file must be writable, and no other server may use the file. Cannot be combined with a cluster as
    /// <see cref="Store"/>. Writing the last snapshot takes time in addition to <see cref="DrainTimeout"/>.
    /// </summary>
    public string? SnapshotPath { get; init; }

    /// <summary>
    /// Gets the maximum number of topics per cache, 1 to 1,000,000. When it is reached, publishing or subscribing to another topic fails with
    /// RESOURCE_EXHAUSTED. The default is 10,000, which takes about 10 MB without messages. Unused topics are removed after 10 minutes.
    /// </summary>
    public int MaxTopicsPerCache { get; init; } = TopicLimits.DefaultTopicsPerCache;

    /// <summary>
    /// Gets the maximum number of subscribers per topic, 1 to 1,000,000. When it is reached, further subscriptions fail with RESOURCE_EXHAUSTED. The default is
    /// 10,000: 100 connections with 100 streams each.
    /// </summary>
    public int MaxTopicSubscribers { get; init; } = TopicLimits.DefaultSubscribersPerTopic;

    /// <summary>
    /// Gets the maximum number of near streams, that is, of clients with a near cache, 1 to 20,000. When it is reached, users share the near streams (NEAR-1),
    /// and further clients work without a near cache. The default is 5,000.
    /// </summary>
    public int MaxNearStreams { get; init; } = NearHub.DefaultMaxStreams;

    /// <summary>
    /// Gets the idle time after which a subscription receives a heartbeat, 0.1 s to 4 s. The default is 1 s, which published clients expect.
    /// </summary>
    public TimeSpan TopicHeartbeat { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Gets the URL of the OpenTelemetry collector for metrics (OTLP over HTTP), such as <c>http://localhost:4318</c>; null if none is configured.
    /// </summary>
    public Uri? OtlpEndpoint { get; init; }

    /// <summary>Gets the log format. The default is <see cref="LogFormat.Automatic"/>.</summary>
    public LogFormat LogFormat { get; init; }

    /// <summary>Gets the minimum log level. The default is information.</summary>
    public LogLevel LogLevel { get; init; } = LogLevel.Information;

    /// <summary>Gets whether the server applies the fault-injection metadata of the contract. For tests only. The default is false.</summary>
    public bool FaultInjection { get; init; }

    /// <summary>
    /// Gets the maximum time for which a shutdown waits for running calls. The default is 4 s, so that the whole shutdown takes less than 5 s.
    /// </summary>
    public TimeSpan DrainTimeout { get; init; } = TimeSpan.FromSeconds(4);

    /// <summary>Gets the clock for TTLs, deadlines and latencies. The default is the system's clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>
    /// Gets whether the server has a console. Servers inside tests have none, because the console's web host would open files and start file watchers and
    /// threads.
    /// </summary>
    internal bool HasConsole { get; init; } = true;

    /// <summary>Gets the longest pause of a thread that is attributed to a busy machine. A longer pause means that the whole process was paused.</summary>
    internal TimeSpan LongestBusyGap { get; init; } = PauseGuard.LongestBusyGap;

    internal const string MemoryStore = "memory";

    internal static readonly TimeSpan TtlLimit = TimeSpan.FromDays(365);

    internal static readonly TimeSpan MinHeartbeat = TimeSpan.FromSeconds(0.1);

    // Clients abandon a stream that sends nothing for 5 s (TOP-26). A heartbeat may be late by a tenth of the interval (TOP-1), which leaves 0.6 s for the
    // delivery.
    internal static readonly TimeSpan MaxHeartbeat = TimeSpan.FromSeconds(4);

    // The maximum values of the limits on topics and subscribers. No machine has enough memory for this number of topics.
    private const int MaxTopics = 1_000_000;

    internal const long MinMemoryBytes = 16L << 20;

    /// <summary>Gets the memory available to this process, which is the memory of the machine or of its container.</summary>
    internal static long MachineMemoryBytes => GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;

    /// <summary>Gets whether this server is a gateway, that is, whether it stores its items in a cluster.</summary>
    internal bool IsGateway => Store != MemoryStore;

    internal bool HasTls => TlsCertificatePath is not null;

    private static long DefaultMemoryBytes => Math.Max(MinMemoryBytes, MachineMemoryBytes / 4);

    /// <summary>Checks the options.</summary>
    /// <exception cref="ServerOptionsException">An option is invalid. The message names the first invalid option and describes how to correct it.</exception>
    public void Validate()
    {
        Require(Port is >= 0 and <= 65_535, $"--port must be 0 to 65535, but is {Port}");
        Require(ConsolePort is >= 0 and <= 65_535, $"--console-port must be 0 to 65535, but is {ConsolePort}");
        Require(Port == 0 || !HasConsole || Port != ConsolePort, "--port and --console-port must differ");
        Require(MemoryBytes >= MinMemoryBytes, $"--memory must be at least {ByteSize.Format(MinMemoryBytes)}, but is {MemoryBytes} bytes");
        Require(CacheName.IsValid(DefaultCache), "--default-cache must be 1 to 255 characters and not blank");
        Require(MaxStreamsPerConnection is >= 100 and <= 10_000, $"--max-streams must be 100 to 10000, but is {MaxStreamsPerConnection}");
        Require(MaxConnections >= 1, $"--max-connections must be at least 1, but is {MaxConnections}");
        Require(MaxTopicsPerCache is >= 1 and <= MaxTopics, $"--max-topics must be 1 to 1000000, but is {MaxTopicsPerCache}");
        Require(
            MaxNearStreams is >= 1 and <= NearHub.LargestMaxStreams,
            $"--max-near-streams must be 1 to {NearHub.LargestMaxStreams}, but is {MaxNearStreams}");
        Require(MaxTopicSubscribers is >= 1 and <= MaxTopics, $"--max-topic-subscribers must be 1 to 1000000, but is {MaxTopicSubscribers}");
        Require(
            TopicHeartbeat >= MinHeartbeat && TopicHeartbeat <= MaxHeartbeat,
            $"--topic-heartbeat must be 0.1s to 4s, but is {TopicHeartbeat.TotalSeconds}s");
        RequireStore();
        Require(SnapshotPath is not "", "--snapshot is empty; pass a file name, or omit --snapshot to write no snapshots");
        Require(
            SnapshotPath is null || !IsGateway,
            "--snapshot (or LARDER_SNAPSHOT) cannot be combined with --store redis://…, because a gateway stores no items; omit one of them");
        Require(
            OtlpEndpoint is null || (OtlpEndpoint.IsAbsoluteUri && OtlpEndpoint.Scheme is "http" or "https"),
            "--otlp must be an http:// or https:// URL, such as http://localhost:4318");
        Require(MaxItemBytes >= 1, $"MaxItemBytes must be at least 1, but is {MaxItemBytes}");
        Require(MaxTtl >= TimeSpan.FromSeconds(1) && MaxTtl <= TtlLimit, $"--max-ttl must be 1s to 365d, but is {MaxTtl.TotalSeconds}s");
        Require(Token is not "", "the token is empty; to require no token, omit --token and LARDER_TOKEN");
        Require((TlsCertificatePath is null) == (TlsKeyPath is null), "--tls-cert and --tls-key must be passed together");
        Require(Token is null || TokenPath is null, "--token-file cannot be combined with --token or LARDER_TOKEN; pass only one");
        Require(
            TokensPath is null || (Token is null && TokenPath is null),
            "--tokens cannot be combined with --token, --token-file or LARDER_TOKEN; add the token to the --tokens file instead");
        Require(
            TokenKeyPath is null || TokensPath is not null,
            "--token-key requires --tokens, because disposable tokens get their permissions from a token in the --tokens file");
        Require(ConsoleToken is not "", "the console's token is empty; to require no token, omit LARDER_CONSOLE_TOKEN");
        Require(ConsoleToken is null || ConsoleTokenPath is null, "--console-token-file cannot be combined with LARDER_CONSOLE_TOKEN; pass only one");
        Require(
            IPAddress.IsLoopback(ConsoleHost) || ConsoleToken is not null || ConsoleTokenPath is not null || TokensPath is not null,
            $"--console-host {ConsoleHost} is reachable from other machines, but the console requires no token; pass --console-token-file (or "
                + "LARDER_CONSOLE_TOKEN) or --tokens, or bind to 127.0.0.1");
        Require(ConsoleAdminToken is not "", "the console's admin token is empty; to use no admin token, omit LARDER_CONSOLE_ADMIN_TOKEN");
        Require(
            ConsoleAdminToken is null || ConsoleAdminTokenPath is null,
            "--console-admin-token-file cannot be combined with LARDER_CONSOLE_ADMIN_TOKEN; pass only one");
        Require(
            ConsoleNames.All(static name => Uri.CheckHostName(name) is UriHostNameType.Dns),
            "--console-name must be a host name without port, such as cache.example.com");
        Require(
            Advertised is null || IsHostAndPort(Advertised),
            "--advertise must be a host name or address with or without port, such as cache.example.com:443; put an IPv6 address in brackets");
        Require(ClientAuthorityPath is null || HasTls, "--client-ca requires --tls-cert and --tls-key");
        Require(
            IPAddress.IsLoopback(Host) || Token is not null || TokenPath is not null || TokensPath is not null || ClientAuthorityPath is not null
                || (AllowAnyone && HasTls),
            $"--host {Host} is reachable from other machines; pass --tokens, --token-file (or LARDER_TOKEN) or --client-ca, or bind to 127.0.0.1. "
                + "To allow callers without token or certificate, pass --tls-cert with --allow-anyone");
    }

    private void RequireStore()
    {
        bool hasTls = false;
        if (IsGateway)
        {
            try
            {
                // The file of the password is read later. Any text stands for the password here.
                hasTls = RedisOptions.Parse(Store, StorePasswordPath is null ? null : "*").Tls is not null;
            }
            catch (FormatException error)
            {
                throw new ServerOptionsException($"--store must be {MemoryStore} or the URL of a cluster: {error.Message}", error);
            }
        }

        Require(IsGateway || StorePasswordPath is null, "--store-password-file requires --store redis://…");
        Require(
            hasTls || (StoreAuthorityPath is null && StoreCertificatePath is null && StoreKeyPath is null),
            "--store-ca, --store-cert and --store-key require --store rediss://…, which connects with TLS");
        Require((StoreCertificatePath is null) == (StoreKeyPath is null), "--store-cert and --store-key must be passed together");
    }

    // The URL parser removes a port that is the default of the scheme. It does not know this scheme, so it keeps every port.
    private static bool IsHostAndPort(string given) =>
        Uri.TryCreate($"larder://{given}", UriKind.Absolute, out Uri? address)
        && string.Equals(address.Authority, given, StringComparison.OrdinalIgnoreCase)
        && address.HostNameType is UriHostNameType.Dns or UriHostNameType.IPv4 or UriHostNameType.IPv6
        && address.Port is -1 or > 0
        && address.PathAndQuery is "" or "/";

    private static void Require(bool holds, string remedy)
    {
        if (!holds)
        {
            throw new ServerOptionsException(remedy);
        }
    }
}
