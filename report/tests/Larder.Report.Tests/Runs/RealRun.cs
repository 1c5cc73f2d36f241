using Larder.Harness;
using Larder.Report.Runs;


namespace Larder.Report.Tests.Runs;

/// <summary>A small run that the engine made on a real machine, committed as it was written: its command is in it.</summary>
internal static class RealRun
{
    /// <summary>The run.</summary>
    public static TuneRun Read() => TuneRunFile.Read(Checkout.At("report/tests/Larder.Report.Tests/Runs/real-run.json"));
}
