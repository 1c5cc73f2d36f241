using System.CommandLine;
using System.CommandLine.Help;
using Larder.Harness;
using Spectre.Console;

namespace Larder.Tuner;

/// <summary>Runs a command-line program: parses the arguments, checks <c>--output</c>, handles Ctrl+C, and maps failures to exit codes.</summary>
internal static class CommandProgram
{
    private const int WrongCommand = 2;
    private const int Defect = 70;

    /// <summary>Runs the command that <paramref name="args"/> names and returns the exit code.</summary>
    public static async Task<int> RunAsync(string description, string[] args, params Command[] commands)
    {
        // This is not a RootCommand. The name of a RootCommand would be the name of the executable instead of the command that users type.
        var root = new Command("larder", description) { new HelpOption() };
        foreach (Command command in commands)
        {
            root.Subcommands.Add(command);
        }

        if (Console.IsOutputRedirected)
        {
            // The output may be a file, so the width is fixed and no colours are written.
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
                return WrongCommand;
            }

            var configuration = new InvocationConfiguration { EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = null };
            int exitCode = await parsed.InvokeAsync(configuration).ConfigureAwait(false);
            // A parse error has the same exit code as an invalid value.
            return parsed.Errors.Count > 0 ? WrongCommand : exitCode;
        }
        catch (Exception failed) when (Interruption.Explains(failed))
        {
            await Interruption.Kept.ConfigureAwait(false);
            return Interruption.ExitCode;
        }
        catch (Exception failed) when (failed is HarnessException or IOException)
        {
            Console.Error.WriteLine(failed.Message);
            return 1;
        }
        catch (Exception defect) when (defect is not OperationCanceledException)
        {
            // Without this handler, the process could end before the using blocks of the command have stopped their child processes.
            Console.Error.WriteLine(defect);
            return Defect;
        }
    }
}
