using System.Net;
using Larder.Redis;
using Larder.Server.Pauses;
using Larder.Server.Topics;
using Microsoft.Extensions.Logging;

namespace Larder.Server;

/// <summary>How a server runs: immutable, and checked once by <see cref="Validate"/>.</summary>
public sealed record ServerOptions
{
    /// <summary>
    /// The address that data, control and pipeline are served on. Default: loopback. Beyond loopback callers must be known: see <see cref="AllowAnyone"/>.
    /// </summary>
    public IPAddress Host { get; init; } = IPAddress.Loopback;

    /// <summary>The data port, 0 to 65535; 0 takes a free one. Default 8080.</summary>
    public int Port { get; init; } = 8080;

    /// <summary>The console's port (<c>/health</c>, <c>/metrics</c>, <c>/stats</c>), 0 to 65535; 0 takes a free one. Default 8081.</summary>
    public int ConsolePort { get; init; } = 8081;

    /// <summary>The address that the console is served on. Default: loopback. Beyond it the console needs a token of its own.</summary>
    public IPAddress ConsoleHost { get; init; } = IPAddress.Loopback;

    /// <summary>The token that every request to the console must carry, but those of <c>/health</c>; null: none is asked for. Never logged.</summary>
    public string? ConsoleToken { get; init; }

    /// <summary>The file whose first line is the console's token, in the place of <see cref="ConsoleToken"/>; null: there is none.</summary>
    public string? ConsoleTokenPath { get; init; }

    /// <summary>
    /// The token by which the console's page may show keys and values and act: make, flush and delete caches, delete items. Null: on loopback who reaches the
    /// console may, with its token where it has one; beyond loopback nobody may. Another than <see cref="ConsoleToken"/>. Never logged.
    /// </summary>
    public string? ConsoleAdminToken { get; init; }

    /// <summary>The file whose first line is that token, in the place of <see cref="ConsoleAdminToken"/>; null: there is none.</summary>
    public string? ConsoleAdminTokenPath { get; init; }

    /// <summary>
    /// Names under which the console's page is opened, beside <c>localhost</c> and the addresses that it listens on: a page under any other name is refused,
    /// for it could be another site's. Default none.
    /// </summary>
    public IReadOnlyList<string> ConsoleNames { get; init; } = [];

    /// <summary>
    /// Where clients call this server, as <c>cache.example.com</c> or <c>cache.example.com:443</c>: disposable tokens carry it. For servers and gateways behind
    /// a load balancer. Null, the default: the address that the server listens on, or the machine's name where it listens on all.
    /// </summary>
    public string? Advertised { get; init; }

    /// <summary>
    /// The memory limit in bytes, 16 MiB or more: of the store and of the buffers of all connections, which have an eighth of it (32 MiB or more, at most
    /// half). Default: a quarter of the memory that this process may use, at least 16 MiB.
    /// </summary>
    public long MemoryBytes { get; init; } = DefaultMemoryBytes;

    /// <summary>The cache that exists from the start, 1 to 255 characters. Default "cache".</summary>
    public string DefaultCache { get; init; } = "cache";

    /// <summary>Streams that one connection may have open at once, 100 to 10,000. Default 100, the figure that public clients are built for.</summary>
    public int MaxStreamsPerConnection { get; init; } = 100;

    /// <summary>
    /// Connections open at once, 1 or more. One more replaces a connection without a valid call; if there is none, it is closed as soon as it is accepted.
    /// Default 10,000, and fewer where the limit of open files leaves no room for so many: a connection is one descriptor, and some are kept for the console
    /// and files. Over TLS at most one for each 256 KB of <see cref="MemoryBytes"/>.
    /// </summary>
    public int MaxConnections { get; init; } = 10_000;

    /// <summary>The largest key and value together, in bytes. Default 4,883 KiB (the contract).</summary>
    public int MaxItemBytes { get; init; } = 4_883 * 1024;

    /// <summary>
    /// The longest TTL that a call may give, 1 second to 365 days. Default 24 hours (the contract: 86,400 s). ListCaches reports it in whole seconds.
    /// </summary>
    public TimeSpan MaxTtl { get; init; } = TimeSpan.FromHours(24);

    /// <summary>The PEM file of the certificate and its chain; null: plaintext.</summary>
    public string? TlsCertificatePath { get; init; }

    /// <summary>The PEM file of the certificate's key; required with <see cref="TlsCertificatePath"/>.</summary>
    public string? TlsKeyPath { get; init; }

    /// <summary>
    /// The PEM file of the authorities that a client's certificate must come from; null: clients are asked for none. Needs <see cref="TlsCertificatePath"/>.
    /// </summary>
    public string? ClientAuthorityPath { get; init; }

    /// <summary>The token that every call must carry; null: none is asked for. Never logged.</summary>
    public string? Token { get; init; }

    /// <summary>The file whose first line is the token, read at the start, in the place of <see cref="Token"/>; null: there is none.</summary>
    public string? TokenPath { get; init; }

    /// <summary>
    /// The file that says who may do what: tokens by their digests, each with its grants and its end (docs/guides/security.md). Read again when it changes.
    /// Null: one token or none opens everything.
    /// </summary>
    public string? TokensPath { get; init; }

    /// <summary>
    /// The file of the keys that disposable tokens are signed by (docs/guides/security.md); fronts share it. Read again when it changes. Needs
    /// <see cref="TokensPath"/>. Null: the server gives none, and takes none.
    /// </summary>
    public string? TokenKeyPath { get; init; }

    /// <summary>
    /// Whether a server beyond loopback may serve callers that show neither token nor certificate. It must then have TLS. Default off: such a server is
    /// refused unless it has <see cref="Token"/>, <see cref="TokenPath"/>, <see cref="TokensPath"/> or <see cref="ClientAuthorityPath"/>.
    /// </summary>
    public bool AllowAnyone { get; init; }

    /// <summary>
    /// Where the items are: <c>memory</c>, this process, or a cluster that it stands in front of, as <c>redis://user:password@host:port,host:port</c>, with
    /// <c>rediss://</c> over TLS. Default <c>memory</c>. A password in it is never logged.
    /// </summary>
    public string Store { get; init; } = MemoryStore;

    /// <summary>
    /// The file that the caches are written to when the server stops or is asked to, and loaded from at the start; null: a restart begins with empty caches.
    /// Its folder must be writable, and no other server may use it. Not with a cluster as <see cref="Store"/>. How long the last writing takes comes on top of
    /// <see cref="DrainTimeout"/>.
    /// </summary>
    public string? SnapshotPath { get; init; }

    /// <summary>
    /// Topics of one cache, 1 to 1,000,000; a publish or subscription to one more is refused (RESOURCE_EXHAUSTED). Default 10,000: without messages some 10 MB.
    /// A topic that nobody uses is forgotten after 10 minutes.
    /// </summary>
    public int MaxTopicsPerCache { get; init; } = TopicLimits.DefaultTopicsPerCache;

    /// <summary>
    /// Subscribers of one topic, 1 to 1,000,000; one more is refused (RESOURCE_EXHAUSTED). Default 10,000: a hundred connections with as many streams each.
    /// </summary>
    public int MaxTopicSubscribers { get; init; } = TopicLimits.DefaultSubscribersPerTopic;

    /// <summary>A subscription that was silent for so long brings a heartbeat, 0.1 s to 4 s. Default 1 s, which published clients expect.</summary>
    public TimeSpan TopicHeartbeat { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>The OpenTelemetry collector that figures are sent to by OTLP over HTTP, as <c>http://localhost:4318</c>; null: none.</summary>
    public Uri? OtlpEndpoint { get; init; }

    /// <summary>How the process writes its log. Default <see cref="LogFormat.Automatic"/>.</summary>
    public LogFormat LogFormat { get; init; }

    /// <summary>The least important level that the process logs. Default information.</summary>
    public LogLevel LogLevel { get; init; } = LogLevel.Information;

    /// <summary>Whether the fault-injection metadata of the contract is honoured. For tests only. Default off.</summary>
    public bool FaultInjection { get; init; }

    /// <summary>How long a shutdown waits for calls under way. Default 4 s, so that the whole takes less than 5.</summary>
    public TimeSpan DrainTimeout { get; init; } = TimeSpan.FromSeconds(4);

    /// <summary>The clock of TTLs, deadlines and latencies. Default: the system's monotonic clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Whether there is a console; a server inside a test has none, and none of its host's files, watches and threads.</summary>
    internal bool HasConsole { get; init; } = true;

    /// <summary>A thread that stands still for no longer than this is a busy machine's, not a paused process's.</summary>
    internal TimeSpan LongestBusyGap { get; init; } = PauseGuard.LongestBusyGap;

    internal const string MemoryStore = "memory";

    internal static readonly TimeSpan MostTtl = TimeSpan.FromDays(365);

    internal static readonly TimeSpan LeastHeartbeat = TimeSpan.FromSeconds(0.1);

    // Clients give up a stream that is silent for 5 s (TOP-26); a heartbeat may be a tenth late (TOP-1), and has 0.6 s for its way.
    internal static readonly TimeSpan MostHeartbeat = TimeSpan.FromSeconds(4);

    // More than a machine has memory for.
    private const int MostTopics = 1_000_000;

    internal const long MinMemoryBytes = 16L << 20;

    /// <summary>The memory that this process may use: the machine's, or its container's.</summary>
    internal static long MachineMemoryBytes => GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;

    /// <summary>True where the items are in a cluster.</summary>
    internal bool IsFront => Store != MemoryStore;

    internal bool HasTls => TlsCertificatePath is not null;

    private static long DefaultMemoryBytes => Math.Max(MinMemoryBytes, MachineMemoryBytes / 4);

    /// <summary>Throws <see cref="ServerOptionsException"/> naming the first option that cannot be, and its remedy.</summary>
    public void Validate()
    {
        Require(Port is >= 0 and <= 65_535, "--port is 0 to 65535");
        Require(ConsolePort is >= 0 and <= 65_535, "--console-port is 0 to 65535");
        Require(Port == 0 || !HasConsole || Port != ConsolePort, "--port and --console-port are the same; give each its own");
        Require(MemoryBytes >= MinMemoryBytes, $"--memory is at least {ByteSize.Format(MinMemoryBytes)}");
        Require(CacheName.IsValid(DefaultCache), "--default-cache is 1 to 255 characters and not blank");
        Require(MaxStreamsPerConnection is >= 100 and <= 10_000, "--max-streams is 100 to 10000: clients put 100 subscriptions on a connection");
        Require(MaxConnections >= 1, "--max-connections is 1 or more");
        Require(MaxTopicsPerCache is >= 1 and <= MostTopics, "--max-topics is 1 to 1000000");
        Require(MaxTopicSubscribers is >= 1 and <= MostTopics, "--max-topic-subscribers is 1 to 1000000");
        Require(TopicHeartbeat >= LeastHeartbeat && TopicHeartbeat <= MostHeartbeat, "--topic-heartbeat is 0.1s to 4s");
        RequireStore();
        Require(SnapshotPath is not "", "--snapshot names a file; leave it away to keep nothing");
        Require(
            SnapshotPath is null || !IsFront,
            "--snapshot (or LARDER_SNAPSHOT) is for a server that keeps the items itself: with --store redis://… they are in the cluster, which keeps them; "
                + "leave it away");
        Require(
            OtlpEndpoint is null || (OtlpEndpoint.IsAbsoluteUri && OtlpEndpoint.Scheme is "http" or "https"),
            "--otlp is an http:// or https:// URL, as http://localhost:4318");
        Require(MaxItemBytes >= 1, "limits are positive");
        Require(MaxTtl >= TimeSpan.FromSeconds(1) && MaxTtl <= MostTtl, "--max-ttl is 1s to 365d");
        Require(Token is not "", "the token is empty; leave --token and LARDER_TOKEN away to ask for none");
        Require((TlsCertificatePath is null) == (TlsKeyPath is null), "--tls-cert and --tls-key go together");
        Require(Token is null || TokenPath is null, "--token-file is given beside --token or LARDER_TOKEN; keep one");
        Require(
            TokensPath is null || (Token is null && TokenPath is null),
            "--tokens is given beside --token, --token-file or LARDER_TOKEN; keep one: what the token may do is an entry of the file");
        Require(TokenKeyPath is null || TokensPath is not null, "--token-key needs --tokens: a disposable token has a part of the rights of a token there");
        Require(ConsoleToken is not "", "the console's token is empty; leave LARDER_CONSOLE_TOKEN away to ask for none");
        Require(ConsoleToken is null || ConsoleTokenPath is null, "--console-token-file is given beside LARDER_CONSOLE_TOKEN; keep one");
        Require(
            IPAddress.IsLoopback(ConsoleHost) || ConsoleToken is not null || ConsoleTokenPath is not null || TokensPath is not null,
            $"--console-host {ConsoleHost} is reachable from other machines: give --console-token-file (or LARDER_CONSOLE_TOKEN), or --tokens, or bind to "
                + "127.0.0.1");
        Require(ConsoleAdminToken is not "", "the console's admin token is empty; leave LARDER_CONSOLE_ADMIN_TOKEN away to have none");
        Require(
            ConsoleAdminToken is null || ConsoleAdminTokenPath is null,
            "--console-admin-token-file is given beside LARDER_CONSOLE_ADMIN_TOKEN; keep one");
        Require(
            ConsoleNames.All(static name => Uri.CheckHostName(name) is UriHostNameType.Dns),
            "--console-name is a host name without port, as cache.example.com");
        Require(
            Advertised is null || IsHostAndPort(Advertised),
            "--advertise is a host name or an address, with a port or without, as cache.example.com:443; an IPv6 address is in brackets");
        Require(ClientAuthorityPath is null || HasTls, "--client-ca needs --tls-cert and --tls-key");
        Require(
            IPAddress.IsLoopback(Host) || Token is not null || TokenPath is not null || TokensPath is not null || ClientAuthorityPath is not null
                || (AllowAnyone && HasTls),
            $"--host {Host} is reachable from other machines: give --tokens, --token-file (or LARDER_TOKEN), or --client-ca, or --tls-cert with "
                + "--allow-anyone, or bind to 127.0.0.1");
    }

    private void RequireStore()
    {
        if (!IsFront)
        {
            return;
        }

        try
        {
            RedisOptions.Parse(Store);
        }
        catch (FormatException error)
        {
            throw new ServerOptionsException($"--store is {MemoryStore} or a cluster's URL: {error.Message}", error);
        }
    }

    // The scheme has no default port, so that none is dropped from what was given.
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
