using System.CommandLine;
using System.CommandLine.Parsing;
using Larder.Server.Configuration;

namespace Larder.Server.Doctor;

/// <summary>
/// The <c>larder doctor</c> command. It checks whether a server could start on this machine with the given settings, and prints each problem with a fix. It
/// changes nothing: ports that it opens and a file that it creates in the snapshot's folder exist only for a moment.
/// </summary>
/// <param name="output">Receives the findings.</param>
/// <param name="errors">Receives the errors of the command line.</param>
/// <param name="machine">The machine to check.</param>
/// <param name="time">The clock.</param>
/// <param name="environment">The environment variables; null for those of the process.</param>
internal sealed class DoctorCommand(
    TextWriter output,
    TextWriter errors,
    Machine machine,
    TimeProvider time,
    IReadOnlyDictionary<string, string>? environment = null)
{
    private const int FoundErrors = 1;
    private const int WrongCommand = 2;
    private const int Interrupted = 130;
    private const string Name = "larder doctor";
    private const int LevelWidth = 9;
    private const int SubjectWidth = 18;

    private readonly SettingSources _sources = new(environment ?? SettingSources.OfProcess());

    /// <summary>Runs the command. Returns 0 if no check found an error, 1 if one did, and 2 if the command line is invalid.</summary>
    public async Task<int> RunAsync(string[] arguments)
    {
        RootCommand command = new(
            "Checks whether a server could start on this machine: ports, limits, memory, clock, tokens, certificates, the snapshot's disk and the engine. "
                + "Prints each problem with a fix. Takes the options of 'larder serve'. The exit code is 1 if a check found an error.")
        {
            HelpName = Name,
        };
        foreach (Option option in _sources.All)
        {
            command.Add(option);
        }

        command.SetAction((parsed, cancelled) => CheckAsync(command, parsed, cancelled));
        ParseResult parsed = command.Parse(arguments);
        if (parsed.Errors.Count > 0)
        {
            foreach (ParseError error in parsed.Errors)
            {
                await errors.WriteLineAsync($"larder: {error.Message}").ConfigureAwait(false);
            }

            await errors.WriteLineAsync($"'{Name} --help' lists the options.").ConfigureAwait(false);
            return WrongCommand;
        }

        try
        {
            return await parsed
                .InvokeAsync(new InvocationConfiguration { Output = output, Error = errors, EnableDefaultExceptionHandler = false })
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return Interrupted;
        }
    }

    private async Task<int> CheckAsync(RootCommand command, ParseResult parsed, CancellationToken cancelled)
    {
        List<Finding> findings = [];
        ServerOptions options;
        try
        {
            EffectiveSettings settings = _sources.Read(command, parsed);
            options = settings.Options;
            settings.Validate();
            findings.Add(Finding.Ok("settings", "valid"));
        }
        catch (ServerOptionsException error)
        {
            // The other checks need valid settings.
            await PrintAsync(Finding.Error("settings", error.Message, "correct the setting; 'larder serve --help' lists the options")).ConfigureAwait(false);
            return FoundErrors;
        }

        findings.AddRange(await PortChecks.RunAsync(options).ConfigureAwait(false));
        findings.AddRange(MachineChecks.Run(options, machine));
        findings.AddRange(FileChecks.Run(options, time.GetUtcNow()));
        findings.AddRange(options.IsGateway ? await EngineChecks.RunAsync(options, cancelled).ConfigureAwait(false) : []);
        foreach (Finding finding in findings)
        {
            await PrintAsync(finding).ConfigureAwait(false);
        }

        int failed = findings.Count(static finding => finding.Level == FindingLevel.Error);
        int warned = findings.Count(static finding => finding.Level == FindingLevel.Warning);
        await output.WriteLineAsync($"{Count(failed, "error")}, {Count(warned, "warning")}").ConfigureAwait(false);
        return failed > 0 ? FoundErrors : 0;
    }

    private async Task PrintAsync(Finding finding)
    {
        string level = finding.Level.ToString().ToLowerInvariant().PadRight(LevelWidth);
        await output.WriteLineAsync($"{level}{finding.Subject.PadRight(SubjectWidth)} {finding.Text}").ConfigureAwait(false);
        if (finding.Fix is { } fix)
        {
            await output.WriteLineAsync($"{new string(' ', LevelWidth + SubjectWidth)} fix: {fix}").ConfigureAwait(false);
        }
    }

    private static string Count(int count, string what) => $"{count} {what}{(count == 1 ? "" : "s")}";
}
