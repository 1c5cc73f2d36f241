using Larder.Harness;
using Larder.Harness.Processes;

namespace Larder.Server.Tests.Faults;

/// <summary>Runs a Python program of the repository against the server of this checkout, with the interpreter that tools/setup installed.</summary>
internal static class PythonProgram
{
    /// <summary>Runs the program until it exits, which may take minutes.</summary>
    public static Task<ProgramRun> RunAsync(string path, params string[] arguments)
    {
        ProgramCommand command = new(path, Checkout.At("tools/python"), [Checkout.At(path), "--server", Checkout.Server, .. arguments])
        {
            Environment = new Dictionary<string, string?> { ["PYTHONDONTWRITEBYTECODE"] = "1" },
        };
        return ProgramRun.OfAsync(command, patience: TimeSpan.FromMinutes(20));
    }
}
