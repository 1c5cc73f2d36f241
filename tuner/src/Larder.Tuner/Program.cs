using System.CommandLine;
using System.CommandLine.Help;
using Larder.Harness;
using Larder.Tuner;
using Larder.Tuner.Bench;
using Larder.Tuner.Known;
using Larder.Tuner.Quickstart;
using Larder.Tuner.Tune;
using Spectre.Console;

// A plain command by the name that users type: a root command is called as its program is.
var root = new Command("larder", "Larder's load generator and tuner.")
{
    new HelpOption(),
    BenchCommand.Create(),
    TuneCommand.Create(),
    QuickstartCommand.Create(),
    KnownServerCommand.Create(),
};
if (Console.IsOutputRedirected)
{
    // A file has no width to ask for, and no colours.
    AnsiConsole.Profile.Width = 240;
    AnsiConsole.Profile.Capabilities.Ansi = false;
    AnsiConsole.Profile.Capabilities.ColorSystem = ColorSystem.NoColors;
}

using IDisposable interruption = Interruption.Listen();
try
{
    ParseResult parsed = root.Parse(args);
    if (parsed.Errors.Count == 0 && OutputCheck.ProblemOf(parsed) is { } problem)
    {
        Console.Error.WriteLine(problem);
        return 2;
    }

    int exitCode = await parsed.InvokeAsync(new InvocationConfiguration { EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = null });
    // A command that cannot be read is a wrong command, as bad values are.
    return parsed.Errors.Count > 0 ? 2 : exitCode;
}
catch (Exception failed) when (Interruption.Explains(failed))
{
    await Interruption.Kept;
    return Interruption.ExitCode;
}
catch (HarnessException failed)
{
    Console.Error.WriteLine(failed.Message);
    return 1;
}
catch (IOException unwritten)
{
    Console.Error.WriteLine(unwritten.Message);
    return 1;
}
catch (Exception defect) when (defect is not OperationCanceledException)
{
    // Caught, so that the programs started are ended by the blocks that own them.
    Console.Error.WriteLine(defect);
    return 70;
}
