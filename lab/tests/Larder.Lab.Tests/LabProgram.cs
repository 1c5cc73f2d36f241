using Larder.Harness.Processes;
using Larder.Lab.Attackers;
using Larder.Tuner.Processes;

namespace Larder.Lab.Tests;

/// <summary>Runs the lab as a separate process, as users do.</summary>
internal static class LabProgram
{
    public static ChildProcess Start(params string[] words) => ChildProcess.Start(
        ProgramCommand.Dotnet("the lab", typeof(AttackersOptions).Assembly.Location, ["lab", .. words]) with { Folder = Programs.Root });
}
