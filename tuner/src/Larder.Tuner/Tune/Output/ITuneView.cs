using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Output;

/// <summary>Displays a run while it is in progress. Calls to a view do not overlap. A view must not block.</summary>
internal interface ITuneView
{
    /// <summary>
    /// Called first. Receives the client, the target, the workload and the maximum duration. The transport is the requested one. The duration is null if the
    /// length of the rounds was given instead.
    /// </summary>
    void OnStart(TunedClient client, TuneTarget target, TunedWorkload workload, TimeSpan? atMost);

    /// <summary>
    /// Called when the client is open and warmed up, before the search starts. Only steps, notes and the remaining time are reported earlier.
    /// </summary>
    void OnBegin(TunedClient client, TuneTarget target, TunedWorkload workload);

    /// <summary>Called when a load starts. It is called again for each pass of a rung.</summary>
    void OnStepStarted(LoadStep step);

    /// <summary>Called after each measured second of the current load.</summary>
    void OnProgress(LoadSecond second);

    /// <summary>
    /// Called when a rung has a new measurement. <paramref name="rung"/> contains all measurements of the rung. It replaces the previous rung with the same
    /// number of callers and channels.
    /// </summary>
    void OnRung(SearchRung rung);

    /// <summary>Called when the search for the knee is over. The knee is null if no rung meets the target.</summary>
    void OnKnee(SearchRung? knee, string why);

    /// <summary>Called when a step of the rate search is complete.</summary>
    void OnRate(RateStep step, TuneTarget target);

    /// <summary>Called when the rate search of a target is over. The rate is null if no rate meets the target.</summary>
    void OnAnswer(ProvedRate? proved, string sentence);

    /// <summary>Called when a concurrency limit has been measured. It is the adaptive limit or the fixed limit at the knee.</summary>
    void OnAdaptive(AdaptiveRow row);

    /// <summary>Reports the progress from 0 to 1 and the approximate remaining time. Called whenever they change.</summary>
    void OnTimeLeft(double done, TimeSpan left);

    /// <summary>Reports something that the user must know immediately. For example, rounds are no longer repeated, or a step is skipped.</summary>
    void OnNote(string note);

    /// <summary>Called when the run is complete.</summary>
    void OnEnd(TuneRun run);
}
