using System.CommandLine;
using System.CommandLine.Parsing;
using System.Net;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Configuration;

/// <summary>The options of <c>larder serve</c> that set up the server.</summary>
/// <param name="variables">The environment variables of the process.</param>
internal sealed class ServeOptions(IReadOnlyDictionary<string, string> variables)
{
    private static readonly ServerOptions Defaults = new();

    private readonly Option<IPAddress> _host = Defaulting(
        "--host",
        "Address to listen on; an address other than loopback requires --tokens, --token-file, --client-ca, or TLS with --allow-anyone",
        Defaults.Host,
        OptionValue.ParseAddress);

    private readonly Option<int> _port = Defaulting("--port", "Data port; 0 selects a free one", Defaults.Port, OptionValue.ParseWhole);
    private readonly Option<int?> _consolePort = new("--console-port")
    {
        Description = "Port of the console (web page, /health, /metrics and /stats); 0 selects a free one (default: the data port + 1, or a free one if the "
            + "data port is 0 or 65535)",
        CustomParser = static result => OptionValue.ParseWhole(result),
    };

    private readonly Option<IPAddress> _consoleHost = Defaulting(
        "--console-host",
        "Address of the console; an address other than loopback requires --console-token-file or --tokens",
        Defaults.ConsoleHost,
        OptionValue.ParseAddress);

    private readonly Option<string?> _consoleTokenFile = new("--console-token-file")
    {
        Description = $"File whose first line is the token required for console requests, except /health; {ConsoleTokenVariable} sets the token itself",
    };

    private readonly Option<string?> _consoleAdminTokenFile = new("--console-admin-token-file")
    {
        Description = "File whose first line is the admin token. Users of the console who have this token can read keys and values and run actions. Without "
            + "an admin token, they can do this only on loopback, or with a token from the --tokens file that has the role admin for all caches; "
            + $"{ConsoleAdminTokenVariable} sets the admin token itself",
    };

    private readonly Option<string?> _advertised = new("--advertise")
    {
        Description = "Address at which clients reach this server, such as cache.example.com:443; needed if it differs from --host, for example behind a "
            + "load balancer; disposable tokens contain this address",
    };

    private readonly Option<string[]> _consoleNames = new("--console-name")
    {
        Description = "Additional host name under which browsers may open the console's page; repeatable",
    };

    private readonly Option<SizeArgument> _memory = Defaulting(
        "--memory",
        "Memory limit of the store and of buffers, such as 512m or 4g; the default is a quarter of the machine's memory",
        new SizeArgument(Defaults.MemoryBytes),
        OptionValue.ParseSize);

    private readonly Option<DurationArgument> _maxTtl = Defaulting(
        "--max-ttl",
        "Maximum TTL that a call may set, such as 24h or 30d; at most 365d",
        new DurationArgument(Defaults.MaxTtl),
        OptionValue.ParseDuration);

    private readonly Option<string> _defaultCache = Defaulting("--default-cache", "Name of the cache that is created at the start", Defaults.DefaultCache);
    private readonly Option<string?> _store = new("--store")
    {
        Description = $"Where items are stored: {ServerOptions.MemoryStore} (default) or redis://host:port,… (rediss:// for TLS); "
            + $"if the URL contains a password, pass the URL in {EnvironmentSettings.StoreVariable} instead",
    };

    private readonly Option<string?> _storePasswordFile = new("--store-password-file")
    {
        Description = "File whose first line is the password of Redis, instead of a password in the URL of --store",
    };
    private readonly Option<string?> _storeAuthority = new("--store-ca")
    {
        Description = "PEM file of the certificate authorities that issue the certificates of Redis; the default is those of the system; requires "
            + "--store rediss://…",
    };
    private readonly Option<string?> _storeCertificate = new("--store-cert")
    {
        Description = "PEM file of the certificate that a gateway presents to Redis, and its chain; requires --store rediss://…",
    };
    private readonly Option<string?> _storeKey = new("--store-key") { Description = "PEM file of the private key of --store-cert" };

    private readonly Option<string?> _snapshot = new("--snapshot")
    {
        Description = $"Snapshot file: loaded at the start, written at shutdown and by 'larder snapshot'; {EnvironmentSettings.SnapshotVariable} also sets it",
    };

    private readonly Option<int> _maxStreams = Defaulting(
        "--max-streams",
        "Maximum number of concurrent streams per connection, 100 to 10000",
        Defaults.MaxStreamsPerConnection,
        OptionValue.ParseWhole);
    private readonly Option<int> _maxConnections = Defaulting(
        "--max-connections",
        "Maximum number of open connections; if it is reached, a new connection replaces a connection that has made no valid call",
        Defaults.MaxConnections,
        OptionValue.ParseWhole);
    private readonly Option<int> _maxTopics = Defaulting(
        "--max-topics",
        "Maximum number of topics per cache; a topic that is not used for 10 minutes is removed",
        Defaults.MaxTopicsPerCache,
        OptionValue.ParseWhole);
    private readonly Option<int> _maxTopicSubscribers = Defaulting(
        "--max-topic-subscribers",
        "Maximum number of subscribers per topic",
        Defaults.MaxTopicSubscribers,
        OptionValue.ParseWhole);
    private readonly Option<int> _maxNearStreams = Defaulting(
        "--max-near-streams",
        "Maximum number of clients with a near cache; users share them, and further clients work without a near cache",
        Defaults.MaxNearStreams,
        OptionValue.ParseWhole);
    private readonly Option<DurationArgument> _topicHeartbeat = Defaulting(
        "--topic-heartbeat",
        "Time without messages after which a subscription gets a heartbeat, 0.1s to 4s",
        new DurationArgument(Defaults.TopicHeartbeat),
        OptionValue.ParseDuration);
    private readonly Option<string?> _tlsCertificate = new("--tls-cert") { Description = "PEM file of the server's certificate and its chain" };
    private readonly Option<string?> _tlsKey = new("--tls-key") { Description = "PEM file of the certificate's private key" };
    private readonly Option<string?> _clientAuthority = new("--client-ca")
    {
        Description = "PEM file of the certificate authorities that issue the clients' certificates",
    };
    private readonly Option<string?> _token = new("--token")
    {
        Description = $"Token required for every call; visible in the process list, so prefer --token-file or {EnvironmentSettings.TokenVariable}",
    };
    private readonly Option<string?> _tokenFile = new("--token-file") { Description = "File whose first line is the token required for every call" };
    private readonly Option<string?> _tokens = new("--tokens")
    {
        Description = "File of tokens with their permissions and expiry ('larder token new' creates entries); reloaded when it changes",
    };
    private readonly Option<string?> _tokenKey = new("--token-key")
    {
        Description = "File with the signing keys of disposable tokens, which 'larder token key' creates; use the same file for all gateways; requires "
            + "--tokens",
    };
    private readonly Option<bool> _allowAnyone = new("--allow-anyone")
    {
        Description = "On addresses other than loopback, accept callers without token or certificate; requires TLS",
    };
    private readonly Option<Uri?> _otlp = new("--otlp")
    {
        Description = "OpenTelemetry collector that receives metrics by OTLP over HTTP, such as http://localhost:4318",
        CustomParser = OptionValue.ParseUrl,
    };
    private readonly Option<LogFormat> _logFormat = Defaulting(
        "--log-format",
        "Log format: automatic (text on a terminal, otherwise JSON), json or text",
        Defaults.LogFormat,
        OptionValue.ParseName<LogFormat>);
    private readonly Option<LogLevel> _logLevel = Defaulting(
        "--log-level",
        "Minimum log level: debug, information, warning, error or none",
        Defaults.LogLevel,
        OptionValue.ParseName<LogLevel>);
    private readonly Option<bool> _faultInjection = new("--fault-injection")
    {
        Description = "Allow callers to inject faults through call metadata; use only in tests",
    };

    /// <summary>The environment variable for the console's token.</summary>
    public const string ConsoleTokenVariable = "LARDER_CONSOLE_TOKEN";

    /// <summary>The environment variable for the console's admin token.</summary>
    public const string ConsoleAdminTokenVariable = "LARDER_CONSOLE_ADMIN_TOKEN";

    /// <summary>Gets all options, in the order of the help.</summary>
    public IReadOnlyList<Option> All =>
    [
        _host, _port, _consolePort, _consoleHost, _consoleTokenFile, _consoleAdminTokenFile, _consoleNames, _advertised, _memory, _maxTtl, _defaultCache,
        _store, _storePasswordFile, _storeAuthority, _storeCertificate, _storeKey, _snapshot, _maxStreams, _maxConnections, _maxTopics, _maxTopicSubscribers,
        _maxNearStreams, _topicHeartbeat, _tlsCertificate, _tlsKey, _clientAuthority, _token, _tokenFile, _tokens, _tokenKey, _allowAnyone, _otlp, _logFormat,
        _logLevel, _faultInjection,
    ];

    /// <summary>Gets the options whose values are paths of files.</summary>
    public IReadOnlySet<Option> Paths => new HashSet<Option>
    {
        _consoleTokenFile, _consoleAdminTokenFile, _storePasswordFile, _storeAuthority, _storeCertificate, _storeKey, _snapshot, _tlsCertificate, _tlsKey,
        _clientAuthority, _tokenFile, _tokens, _tokenKey,
    };

    /// <summary>Gets the options that a configuration file may set, by key. A file must not contain the token, as other users can often read it.</summary>
    public IReadOnlyDictionary<string, Option> Keys => All.Where(option => option != _token).ToDictionary(static option => option.Name.TrimStart('-'));

    /// <summary>Returns the server's options for parsed arguments.</summary>
    public ServerOptions Read(ParseResult parsed) => new()
    {
        Host = parsed.GetValue(_host)!,
        Port = parsed.GetValue(_port),
        ConsolePort = parsed.GetValue(_consolePort) ?? (parsed.GetValue(_port) is > 0 and < 65_535 and int port ? port + 1 : 0),
        ConsoleHost = parsed.GetValue(_consoleHost)!,
        ConsoleTokenPath = parsed.GetValue(_consoleTokenFile),
        ConsoleToken = variables.GetValueOrDefault(ConsoleTokenVariable),
        ConsoleAdminTokenPath = parsed.GetValue(_consoleAdminTokenFile),
        ConsoleAdminToken = variables.GetValueOrDefault(ConsoleAdminTokenVariable),
        Advertised = parsed.GetValue(_advertised),
        ConsoleNames = parsed.GetValue(_consoleNames) ?? [],
        MemoryBytes = parsed.GetValue(_memory).Bytes,
        MaxTtl = parsed.GetValue(_maxTtl).Value,
        DefaultCache = parsed.GetValue(_defaultCache)!,
        MaxStreamsPerConnection = parsed.GetValue(_maxStreams),
        MaxConnections = parsed.GetValue(_maxConnections),
        MaxTopicsPerCache = parsed.GetValue(_maxTopics),
        MaxTopicSubscribers = parsed.GetValue(_maxTopicSubscribers),
        MaxNearStreams = parsed.GetValue(_maxNearStreams),
        TopicHeartbeat = parsed.GetValue(_topicHeartbeat).Value,
        TlsCertificatePath = parsed.GetValue(_tlsCertificate),
        TlsKeyPath = parsed.GetValue(_tlsKey),
        ClientAuthorityPath = parsed.GetValue(_clientAuthority),
        TokenPath = parsed.GetValue(_tokenFile),
        TokensPath = parsed.GetValue(_tokens),
        TokenKeyPath = parsed.GetValue(_tokenKey),
        AllowAnyone = parsed.GetValue(_allowAnyone),
        Token = parsed.GetValue(_token),
        Store = parsed.GetValue(_store) ?? Defaults.Store,
        StorePasswordPath = parsed.GetValue(_storePasswordFile),
        StoreAuthorityPath = parsed.GetValue(_storeAuthority),
        StoreCertificatePath = parsed.GetValue(_storeCertificate),
        StoreKeyPath = parsed.GetValue(_storeKey),
        SnapshotPath = parsed.GetValue(_snapshot),
        OtlpEndpoint = parsed.GetValue(_otlp),
        LogFormat = parsed.GetValue(_logFormat),
        LogLevel = parsed.GetValue(_logLevel),
        FaultInjection = parsed.GetValue(_faultInjection),
    };

    private static Option<T> Defaulting<T>(string name, string description, T value, Func<ArgumentResult, T?>? parse = null) =>
        new(name) { Description = description, DefaultValueFactory = _ => value, CustomParser = parse };
}
