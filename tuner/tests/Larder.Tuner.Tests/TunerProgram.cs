using Larder.Harness.Processes;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Tests;

/// <summary>Runs the tuner as a separate process, as users do.</summary>
internal static class TunerProgram
{
    public static ProgramCommand Command(params string[] words) =>
        ProgramCommand.Dotnet("the tuner", typeof(Interruption).Assembly.Location, words) with { Folder = Programs.Root };

    public static ChildProcess Start(params string[] words) => ChildProcess.Start(Command(words));
}
