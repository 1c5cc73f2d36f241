using Larder.Harness;
using Larder.Harness.Processes;

namespace Larder.FileStore.Tests.Support;

/// <summary>A test that injects faults with strace. The test is skipped with the reason if strace is missing or tracing is not permitted.</summary>
internal sealed class StraceFactAttribute : FactAttribute
{
    internal static readonly string? Obstacle = Find();

    public StraceFactAttribute() => Skip = Obstacle;

    private static string? Find()
    {
        try
        {
            ProgramCommand command = new("strace", "strace", "-qq", "-e", "inject=write:error=EIO:when=100", "true");
            return ProgramRun.Of(command).ExitCode == 0 ? null : "Cannot inject: strace may not trace processes here.";
        }
        catch (HarnessException)
        {
            return "Cannot inject: strace is not installed.";
        }
    }
}

/// <summary>The <see cref="StraceFactAttribute"/> for tests with data.</summary>
internal sealed class StraceTheoryAttribute : TheoryAttribute
{
    public StraceTheoryAttribute() => Skip = StraceFactAttribute.Obstacle;
}
