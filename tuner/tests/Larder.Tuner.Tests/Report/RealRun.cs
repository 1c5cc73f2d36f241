using Larder.Tuner.Processes;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Tests.Report;

/// <summary>A small run that the engine made on a real machine, committed as it was written: its command is in it.</summary>
internal static class RealRun
{
    /// <summary>The run.</summary>
    public static TuneRun Read() => TuneRunFile.Read(Path.Combine(Programs.Root, "tuner/tests/Larder.Tuner.Tests/Report/real-run.json"));
}
