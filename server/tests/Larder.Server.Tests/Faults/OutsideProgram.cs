using Larder.Harness;
using Larder.Harness.Processes;

namespace Larder.Server.Tests.Faults;

/// <summary>A program of the tree that is no C#, run by the python that tools/setup made fit against the server of this tree.</summary>
internal static class OutsideProgram
{
    /// <summary>Runs it to its end, which may take minutes.</summary>
    public static Task<ProgramRun> RunAsync(string path, params string[] arguments)
    {
        ProgramCommand command = new(path, Checkout.At("tools/python"), [Checkout.At(path), "--server", Checkout.Server, .. arguments])
        {
            Environment = new Dictionary<string, string?> { ["PYTHONDONTWRITEBYTECODE"] = "1" },
        };
        return ProgramRun.OfAsync(command, patience: TimeSpan.FromMinutes(20));
    }
}
