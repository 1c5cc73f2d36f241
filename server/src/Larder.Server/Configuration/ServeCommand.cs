using System.CommandLine;
using System.CommandLine.Parsing;
using Larder.Server.Fleet;
using Larder.Server.Security;

namespace Larder.Server.Configuration;

/// <summary>
/// The <c>larder serve</c> command. Its settings come from the command line, the environment variables and the configuration file, in this order of priority.
/// </summary>
/// <param name="environment">The environment variables; null for those of the process.</param>
/// <param name="output">Receives the output of <c>--print-config</c> and <c>--check-config</c>; null for standard output.</param>
/// <param name="errors">Receives the errors; null for standard error.</param>
internal sealed class ServeCommand(IReadOnlyDictionary<string, string>? environment = null, TextWriter? output = null, TextWriter? errors = null)
{
    private const int WrongCommand = 2;

    // The name that users type. It is the name of the launcher, not of the executable.
    private const string Name = "larder serve";

    private readonly TextWriter _output = output ?? System.Console.Out;
    private readonly TextWriter _errors = errors ?? System.Console.Error;
    private readonly SettingSources _sources = new(environment ?? SettingSources.OfProcess());

    private readonly Option<bool> _print = new("--print-config")
    {
        Description = "Print the effective settings and the source of each as a configuration file, and exit",
    };

    private readonly Option<bool> _check = new("--check-config")
    {
        Description = "Check the settings and the files that they name, and exit: code 0 if a server could start with them, otherwise 2",
    };

    /// <summary>
    /// Parses the arguments and runs the command. If a setting is invalid, writes the errors to standard error and returns the exit code 2.
    /// </summary>
    public async Task<int> RunAsync(string[] arguments, Func<ServerOptions, CancellationToken, Task<int>> serve)
    {
        ParseResult parsed = Build(serve).Parse(arguments);
        if (parsed.Errors.Count > 0)
        {
            Report(parsed.Errors.Select(static error => error.Message));
            await _errors.WriteLineAsync($"'{Name} --help' lists the options.").ConfigureAwait(false);
            return WrongCommand;
        }

        return await parsed
            .InvokeAsync(new InvocationConfiguration { ProcessTerminationTimeout = null, EnableDefaultExceptionHandler = false })
            .ConfigureAwait(false);
    }

    /// <summary>Creates the command, which calls <paramref name="serve"/> with the effective options.</summary>
    public RootCommand Build(Func<ServerOptions, CancellationToken, Task<int>> serve)
    {
        RootCommand command = new("Runs a Larder cache server.") { HelpName = Name };
        foreach (Option option in _sources.All.Concat([_print, _check]))
        {
            command.Add(option);
        }

        command.SetAction(async (parsed, cancelled) =>
        {
            EffectiveSettings settings;
            try
            {
                settings = _sources.Read(command, parsed);
                if (parsed.GetValue(_check) || !parsed.GetValue(_print))
                {
                    settings.Validate();
                }

                if (parsed.GetValue(_check))
                {
                    CheckFiles(settings.Options);
                }
            }
            catch (ServerOptionsException error)
            {
                Report([error.Message]);
                return WrongCommand;
            }

            if (parsed.GetValue(_print))
            {
                await _output.WriteAsync(settings.ToString()).ConfigureAwait(false);
            }

            if (parsed.GetValue(_check))
            {
                await _output.WriteLineAsync("# The configuration is valid.").ConfigureAwait(false);
            }

            return parsed.GetValue(_print) || parsed.GetValue(_check) ? 0 : await serve(settings.Options, cancelled).ConfigureAwait(false);
        });
        return command;
    }

    // A server that is running may use the ports and the snapshot file, so they are not opened.
    private static void CheckFiles(ServerOptions options)
    {
        _ = new SecretFiles(options);
        if (options.IsGateway)
        {
            _ = StoreConnection.Read(options);
        }

        if (options.SnapshotPath is { } snapshot && !Directory.Exists(Path.GetDirectoryName(Path.GetFullPath(snapshot))))
        {
            throw new ServerOptionsException($"the folder of --snapshot {snapshot} does not exist; create it, or pass another file");
        }
    }

    private void Report(IEnumerable<string> errors)
    {
        foreach (string error in errors)
        {
            _errors.WriteLine($"larder: {error}");
        }
    }
}
