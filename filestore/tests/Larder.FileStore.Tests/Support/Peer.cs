using Larder.Harness;
using Larder.Harness.Processes;

namespace Larder.FileStore.Tests.Support;

/// <summary>Runs Larder.FileStore.Peer, another process with the same cache file, and controls the process through its standard input.</summary>
internal sealed class Peer : ChildProcess
{
    private Peer(ProgramCommand command)
        : base(command)
    {
    }

    internal static string Program => Checkout.Program("filestore/tests/Larder.FileStore.Peer");

    /// <summary>Starts the process and waits until the process has opened the cache.</summary>
    internal static Peer Start(ScratchFolder folder, params string[] options) => Ready(StartUnready(["dotnet"], folder, options));

    /// <summary>Waits until the process has opened the cache.</summary>
    internal static Peer Ready(Peer peer)
    {
        string? answer = peer.ReadLine();
        Assert.Equal("ready", answer);
        return peer;
    }

    /// <summary>Starts the process through another command, such as strace.</summary>
    internal static Peer StartUnready(string[] command, ScratchFolder folder, params string[] options) =>
        new(new ProgramCommand("the other process", command[0], [.. command[1..], "exec", Program, folder.Path, .. options])
        {
            // Without this setting, a killed process would leave its diagnostics socket behind.
            Environment = new Dictionary<string, string?> { ["DOTNET_EnableDiagnostics"] = "0" },
        });

    internal string Do(string command)
    {
        Send(command);
        return ReadLine() ?? throw new EndOfStreamException("The process ended.");
    }

    internal void Send(string command)
    {
        Input.WriteLine(command);
        Input.Flush();
    }

    /// <summary>Returns the next line of the process's output; null if the output has ended.</summary>
    internal string? ReadLine()
    {
        Task<string?> line = Output.ReadLineAsync();
        Assert.True(line.Wait(Patience * 1.5), "The other process did not answer in time.");
        return line.Result;
    }
}
