using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Net;
using Microsoft.Extensions.Logging;

namespace Larder.Server;

/// <summary>The <c>larder serve</c> command.</summary>
internal sealed class ServeCommand
{
    private const int WrongCommand = 2;

    // The name that users type, which is the launcher's and not that of the executable.
    private const string Name = "larder serve";

    private static readonly ServerOptions Defaults = new();

    private readonly Option<IPAddress> _host = Defaulting(
        "--host",
        "Address to listen on; beyond loopback needs --tokens, --token-file, --client-ca, or TLS with --allow-anyone",
        Defaults.Host,
        ParseAddress);

    private readonly Option<int> _port = Defaulting("--port", "Data port; 0 takes a free one", Defaults.Port, ParseWhole);
    private readonly Option<int> _consolePort = Defaulting(
        "--console-port",
        "Port of the console: its page, /health, /metrics and /stats; 0 takes a free one",
        Defaults.ConsolePort,
        ParseWhole);

    private readonly Option<IPAddress> _consoleHost = Defaulting(
        "--console-host",
        "Address of the console; beyond loopback needs --console-token-file or --tokens",
        Defaults.ConsoleHost,
        ParseAddress);

    private readonly Option<string?> _consoleTokenFile = new("--console-token-file")
    {
        Description = $"File whose first line is the token that requests to the console must carry, but those of /health; or {ConsoleTokenVariable}",
    };

    private readonly Option<string?> _consoleAdminTokenFile = new("--console-admin-token-file")
    {
        Description = "File whose first line is the token by which the console's page shows keys and values and acts; beyond loopback nobody may "
            + $"without; or {ConsoleAdminTokenVariable}",
    };

    private readonly Option<string?> _advertised = new("--advertise")
    {
        Description = "Where clients call this server, as cache.example.com or cache.example.com:443, if not at the address it listens on (a load balancer, "
            + "for example); disposable tokens carry it",
    };

    private readonly Option<string[]> _consoleNames = new("--console-name")
    {
        Description = "Host name under which the console's page is opened, beside localhost and the addresses it listens on; may be given again",
    };

    private readonly Option<SizeArgument> _memory = Defaulting(
        "--memory",
        "Memory limit of the store and of buffers, as 512m or 4g; by default a quarter of this machine's memory",
        new SizeArgument(Defaults.MemoryBytes),
        ParseSize);

    private readonly Option<DurationArgument> _maxTtl = Defaulting(
        "--max-ttl",
        "Longest time to live that a call may give an item, as 24h or 30d; at most 365d",
        new DurationArgument(Defaults.MaxTtl),
        ParseDuration);

    private readonly Option<string> _defaultCache = Defaulting("--default-cache", "The cache that exists from the start", Defaults.DefaultCache);
    private readonly Option<string?> _store = new("--store")
    {
        Description = $"Where items are: {ServerOptions.MemoryStore} (default), or redis://host:port,… (rediss:// over TLS); "
            + $"with a password better by {StoreVariable}",
    };

    private readonly Option<string?> _snapshot = new("--snapshot")
    {
        Description = $"File to write the caches to when the server ends and on 'larder snapshot', and to load them from at the start; or {SnapshotVariable}",
    };

    private readonly Option<int> _maxStreams = Defaulting(
        "--max-streams",
        "Concurrent streams on one connection, 100 to 10000",
        Defaults.MaxStreamsPerConnection,
        ParseWhole);
    private readonly Option<int> _maxConnections = Defaulting(
        "--max-connections",
        "Connections open at once; then a new one replaces one without a valid call",
        Defaults.MaxConnections,
        ParseWhole);
    private readonly Option<int> _maxTopics = Defaulting(
        "--max-topics",
        "Topics of one cache; one that nobody uses is forgotten after 10 minutes",
        Defaults.MaxTopicsPerCache,
        ParseWhole);
    private readonly Option<int> _maxTopicSubscribers = Defaulting(
        "--max-topic-subscribers",
        "Subscribers of one topic",
        Defaults.MaxTopicSubscribers,
        ParseWhole);
    private readonly Option<DurationArgument> _topicHeartbeat = Defaulting(
        "--topic-heartbeat",
        "Silence after which a subscription brings a heartbeat, 0.1s to 4s",
        new DurationArgument(Defaults.TopicHeartbeat),
        ParseDuration);
    private readonly Option<string?> _tlsCertificate = new("--tls-cert") { Description = "PEM file of the certificate and its chain" };
    private readonly Option<string?> _tlsKey = new("--tls-key") { Description = "PEM file of the certificate's key" };
    private readonly Option<string?> _clientAuthority = new("--client-ca")
    {
        Description = "PEM file of the authorities that clients' certificates must come from",
    };
    private readonly Option<string?> _token = new("--token")
    {
        Description = $"Token that every call must carry; seen in the list of processes, so better by --token-file or {TokenVariable}",
    };
    private readonly Option<string?> _tokenFile = new("--token-file") { Description = "File whose first line is the token that every call must carry" };
    private readonly Option<string?> _tokens = new("--tokens")
    {
        Description = "File of tokens: who may do what in which cache, and until when ('larder token new' writes entries); read again when it changes",
    };
    private readonly Option<string?> _tokenKey = new("--token-key")
    {
        Description = "File of the key that disposable tokens are signed by ('larder token key' makes it); gateways share it; needs --tokens",
    };
    private readonly Option<bool> _allowAnyone = new("--allow-anyone")
    {
        Description = "Serve callers without token or certificate beyond loopback; needs TLS",
    };
    private readonly Option<Uri?> _otlp = new("--otlp")
    {
        Description = "OpenTelemetry collector that figures are sent to by OTLP over HTTP, as http://localhost:4318",
        CustomParser = ParseUrl,
    };
    private readonly Option<LogFormat> _logFormat = Defaulting(
        "--log-format",
        "automatic (text on a terminal, JSON where it is redirected), json or text",
        Defaults.LogFormat,
        ParseName<LogFormat>);
    private readonly Option<LogLevel> _logLevel = Defaulting(
        "--log-level",
        "Least important level that is logged: debug, information, warning, error or none",
        Defaults.LogLevel,
        ParseName<LogLevel>);
    private readonly Option<bool> _faultInjection = new("--fault-injection") { Description = "Let calls ask for faults by metadata; for tests only" };

    /// <summary>The environment variable for the token. Unlike an argument, it is not visible to other users of the machine.</summary>
    public const string TokenVariable = "LARDER_TOKEN";

    /// <summary>The environment variable for the console's token.</summary>
    public const string ConsoleTokenVariable = "LARDER_CONSOLE_TOKEN";

    /// <summary>The environment variable for the console's admin token.</summary>
    public const string ConsoleAdminTokenVariable = "LARDER_CONSOLE_ADMIN_TOKEN";

    /// <summary>The environment variable for the store's URL, which may contain a password.</summary>
    public const string StoreVariable = "LARDER_STORE";

    /// <summary>The environment variable for the snapshot file.</summary>
    public const string SnapshotVariable = "LARDER_SNAPSHOT";

    /// <summary>Parses the arguments and runs the command. If they are invalid, writes the errors to standard error and returns exit code 2.</summary>
    public async Task<int> RunAsync(string[] arguments, Func<ServerOptions, CancellationToken, Task<int>> serve)
    {
        ParseResult parsed = Build(serve).Parse(arguments);
        if (parsed.Errors.Count > 0)
        {
            foreach (ParseError error in parsed.Errors)
            {
                await System.Console.Error.WriteLineAsync($"larder: {error.Message}").ConfigureAwait(false);
            }

            await System.Console.Error.WriteLineAsync($"'{Name} --help' lists the options.").ConfigureAwait(false);
            return WrongCommand;
        }

        return await parsed
            .InvokeAsync(new InvocationConfiguration { ProcessTerminationTimeout = null, EnableDefaultExceptionHandler = false })
            .ConfigureAwait(false);
    }

    /// <summary>Creates the command, which calls <paramref name="serve"/> with the parsed options.</summary>
    public RootCommand Build(Func<ServerOptions, CancellationToken, Task<int>> serve)
    {
        RootCommand command = new("Runs a Larder cache server.")
        {
            _host,
            _port,
            _consolePort,
            _consoleHost,
            _consoleTokenFile,
            _consoleAdminTokenFile,
            _consoleNames,
            _advertised,
            _memory,
            _maxTtl,
            _defaultCache,
            _store,
            _snapshot,
            _maxStreams,
            _maxConnections,
            _maxTopics,
            _maxTopicSubscribers,
            _topicHeartbeat,
            _tlsCertificate,
            _tlsKey,
            _clientAuthority,
            _token,
            _tokenFile,
            _tokens,
            _tokenKey,
            _allowAnyone,
            _otlp,
            _logFormat,
            _logLevel,
            _faultInjection,
        };
        command.HelpName = Name;
        command.SetAction((parsed, cancelled) => serve(Read(parsed), cancelled));
        return command;
    }

    private ServerOptions Read(ParseResult parsed) => new()
    {
        Host = parsed.GetValue(_host)!,
        Port = parsed.GetValue(_port),
        ConsolePort = parsed.GetValue(_consolePort),
        ConsoleHost = parsed.GetValue(_consoleHost)!,
        ConsoleTokenPath = parsed.GetValue(_consoleTokenFile),
        ConsoleToken = Environment.GetEnvironmentVariable(ConsoleTokenVariable),
        ConsoleAdminTokenPath = parsed.GetValue(_consoleAdminTokenFile),
        ConsoleAdminToken = Environment.GetEnvironmentVariable(ConsoleAdminTokenVariable),
        Advertised = parsed.GetValue(_advertised),
        ConsoleNames = parsed.GetValue(_consoleNames) ?? [],
        MemoryBytes = parsed.GetValue(_memory).Bytes,
        MaxTtl = parsed.GetValue(_maxTtl).Value,
        DefaultCache = parsed.GetValue(_defaultCache)!,
        MaxStreamsPerConnection = parsed.GetValue(_maxStreams),
        MaxConnections = parsed.GetValue(_maxConnections),
        MaxTopicsPerCache = parsed.GetValue(_maxTopics),
        MaxTopicSubscribers = parsed.GetValue(_maxTopicSubscribers),
        TopicHeartbeat = parsed.GetValue(_topicHeartbeat).Value,
        TlsCertificatePath = parsed.GetValue(_tlsCertificate),
        TlsKeyPath = parsed.GetValue(_tlsKey),
        ClientAuthorityPath = parsed.GetValue(_clientAuthority),
        TokenPath = parsed.GetValue(_tokenFile),
        TokensPath = parsed.GetValue(_tokens),
        TokenKeyPath = parsed.GetValue(_tokenKey),
        AllowAnyone = parsed.GetValue(_allowAnyone),
        Token = parsed.GetValue(_token) ?? Environment.GetEnvironmentVariable(TokenVariable),
        Store = parsed.GetValue(_store) ?? OfEnvironment(StoreVariable) ?? Defaults.Store,
        SnapshotPath = parsed.GetValue(_snapshot) ?? OfEnvironment(SnapshotVariable),
        OtlpEndpoint = parsed.GetValue(_otlp),
        LogFormat = parsed.GetValue(_logFormat),
        LogLevel = parsed.GetValue(_logLevel),
        FaultInjection = parsed.GetValue(_faultInjection),
    };

    // An empty variable counts as unset.
    private static string? OfEnvironment(string variable) => Environment.GetEnvironmentVariable(variable) is { Length: > 0 } value ? value : null;

    private static Option<T> Defaulting<T>(string name, string description, T value, Func<ArgumentResult, T?>? parse = null) =>
        new(name) { Description = description, DefaultValueFactory = _ => value, CustomParser = parse };

    private static string TextOf(ArgumentResult result) => result.Tokens is [Token token, ..] ? token.Value : "";

    private static IPAddress? ParseAddress(ArgumentResult result)
    {
        string text = TextOf(result);
        if (text == "localhost")
        {
            return IPAddress.Loopback;
        }

        if (!IPAddress.TryParse(text, out IPAddress? address))
        {
            result.AddError($"{(result.Parent as OptionResult)?.Option.Name} '{text}' is no IP address; give one as 127.0.0.1, 0.0.0.0 or ::");
        }

        return address;
    }

    private static Uri? ParseUrl(ArgumentResult result)
    {
        string text = TextOf(result);
        if (!Uri.TryCreate(text, UriKind.Absolute, out Uri? url))
        {
            result.AddError($"{(result.Parent as OptionResult)?.Option.Name} '{text}' is no URL; give one as http://localhost:4318");
        }

        return url;
    }

    private static T ParseName<T>(ArgumentResult result)
        where T : struct, Enum
    {
        string text = TextOf(result);
        if (!Enum.TryParse(text, ignoreCase: true, out T value) || !text.All(char.IsAsciiLetter))
        {
            string names = string.Join(", ", Enum.GetNames<T>()).ToLowerInvariant();
            result.AddError($"{(result.Parent as OptionResult)?.Option.Name} '{text}' is none of {names}");
        }

        return value;
    }

    private static int ParseWhole(ArgumentResult result)
    {
        string text = TextOf(result);
        if (!int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number))
        {
            result.AddError($"{(result.Parent as OptionResult)?.Option.Name} '{text}' is no whole number");
        }

        return number;
    }

    private static DurationArgument ParseDuration(ArgumentResult result)
    {
        string text = TextOf(result);
        if (!DurationText.TryParse(text, out TimeSpan duration))
        {
            result.AddError($"{(result.Parent as OptionResult)?.Option.Name} '{text}' is no duration; write it as 90s, 15m, 24h or 30d");
        }

        return new DurationArgument(duration);
    }

    private static SizeArgument ParseSize(ArgumentResult result)
    {
        string text = TextOf(result);
        if (!ByteSize.TryParse(text, out long bytes))
        {
            result.AddError($"--memory '{text}' is no size; write it as 512m, 4g or a number of bytes");
        }

        return new SizeArgument(bytes);
    }
}
