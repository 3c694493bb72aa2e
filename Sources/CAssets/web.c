#include "CAssets.h"

/* Every file of web/, sorted; a test compares the table with the directory. */

static const unsigned char a_html[] = {
#embed "../../web/a.html"
};

static const unsigned char css_base_css[] = {
#embed "../../web/css/base.css"
};

static const unsigned char css_card_css[] = {
#embed "../../web/css/card.css"
};

static const unsigned char css_content_css[] = {
#embed "../../web/css/content.css"
};

static const unsigned char css_drive_css[] = {
#embed "../../web/css/drive.css"
};

static const unsigned char css_frame_css[] = {
#embed "../../web/css/frame.css"
};

static const unsigned char css_lists_css[] = {
#embed "../../web/css/lists.css"
};

static const unsigned char css_project_css[] = {
#embed "../../web/css/project.css"
};

static const unsigned char icons_icon_192_png[] = {
#embed "../../web/icons/icon-192.png"
};

static const unsigned char icons_icon_512_png[] = {
#embed "../../web/icons/icon-512.png"
};

static const unsigned char icons_icon_svg[] = {
#embed "../../web/icons/icon.svg"
};

static const unsigned char icons_maskable_512_png[] = {
#embed "../../web/icons/maskable-512.png"
};

static const unsigned char icons_touch_png[] = {
#embed "../../web/icons/touch.png"
};

static const unsigned char index_html[] = {
#embed "../../web/index.html"
};

static const unsigned char js_answer_js[] = {
#embed "../../web/js/answer.js"
};

static const unsigned char js_app_js[] = {
#embed "../../web/js/app.js"
};

static const unsigned char js_dom_js[] = {
#embed "../../web/js/dom.js"
};

static const unsigned char js_main_js[] = {
#embed "../../web/js/main.js"
};

static const unsigned char js_net_detour_js[] = {
#embed "../../web/js/net/detour.js"
};

static const unsigned char js_net_link_js[] = {
#embed "../../web/js/net/link.js"
};

static const unsigned char js_net_pairing_js[] = {
#embed "../../web/js/net/pairing.js"
};

static const unsigned char js_net_poll_js[] = {
#embed "../../web/js/net/poll.js"
};

static const unsigned char js_net_rpc_js[] = {
#embed "../../web/js/net/rpc.js"
};

static const unsigned char js_net_socket_js[] = {
#embed "../../web/js/net/socket.js"
};

static const unsigned char js_net_tokens_js[] = {
#embed "../../web/js/net/tokens.js"
};

static const unsigned char js_net_vault_js[] = {
#embed "../../web/js/net/vault.js"
};

static const unsigned char js_state_answers_js[] = {
#embed "../../web/js/state/answers.js"
};

static const unsigned char js_state_deck_js[] = {
#embed "../../web/js/state/deck.js"
};

static const unsigned char js_state_details_js[] = {
#embed "../../web/js/state/details.js"
};

static const unsigned char js_state_features_js[] = {
#embed "../../web/js/state/features.js"
};

static const unsigned char js_state_gate_js[] = {
#embed "../../web/js/state/gate.js"
};

static const unsigned char js_state_model_js[] = {
#embed "../../web/js/state/model.js"
};

static const unsigned char js_state_modes_js[] = {
#embed "../../web/js/state/modes.js"
};

static const unsigned char js_state_offered_js[] = {
#embed "../../web/js/state/offered.js"
};

static const unsigned char js_state_presence_js[] = {
#embed "../../web/js/state/presence.js"
};

static const unsigned char js_state_prompt_js[] = {
#embed "../../web/js/state/prompt.js"
};

static const unsigned char js_state_prompts_js[] = {
#embed "../../web/js/state/prompts.js"
};

static const unsigned char js_state_repository_js[] = {
#embed "../../web/js/state/repository.js"
};

static const unsigned char js_state_run_js[] = {
#embed "../../web/js/state/run.js"
};

static const unsigned char js_state_scaled_js[] = {
#embed "../../web/js/state/scaled.js"
};

static const unsigned char js_state_sync_js[] = {
#embed "../../web/js/state/sync.js"
};

static const unsigned char js_state_transcript_js[] = {
#embed "../../web/js/state/transcript.js"
};

static const unsigned char js_state_workspaces_js[] = {
#embed "../../web/js/state/workspaces.js"
};

static const unsigned char js_text_address_js[] = {
#embed "../../web/js/text/address.js"
};

static const unsigned char js_text_characters_js[] = {
#embed "../../web/js/text/characters.js"
};

static const unsigned char js_text_inline_js[] = {
#embed "../../web/js/text/inline.js"
};

static const unsigned char js_text_markdown_js[] = {
#embed "../../web/js/text/markdown.js"
};

static const unsigned char js_text_patch_js[] = {
#embed "../../web/js/text/patch.js"
};

static const unsigned char js_text_runs_js[] = {
#embed "../../web/js/text/runs.js"
};

static const unsigned char js_text_words_js[] = {
#embed "../../web/js/text/words.js"
};

static const unsigned char js_tool_js[] = {
#embed "../../web/js/tool.js"
};

static const unsigned char js_views_actions_js[] = {
#embed "../../web/js/views/actions.js"
};

static const unsigned char js_views_ask_js[] = {
#embed "../../web/js/views/ask.js"
};

static const unsigned char js_views_batch_js[] = {
#embed "../../web/js/views/batch.js"
};

static const unsigned char js_views_branches_js[] = {
#embed "../../web/js/views/branches.js"
};

static const unsigned char js_views_call_js[] = {
#embed "../../web/js/views/call.js"
};

static const unsigned char js_views_calls_js[] = {
#embed "../../web/js/views/calls.js"
};

static const unsigned char js_views_card_js[] = {
#embed "../../web/js/views/card.js"
};

static const unsigned char js_views_change_row_js[] = {
#embed "../../web/js/views/change-row.js"
};

static const unsigned char js_views_changes_js[] = {
#embed "../../web/js/views/changes.js"
};

static const unsigned char js_views_commands_js[] = {
#embed "../../web/js/views/commands.js"
};

static const unsigned char js_views_commit_js[] = {
#embed "../../web/js/views/commit.js"
};

static const unsigned char js_views_commits_js[] = {
#embed "../../web/js/views/commits.js"
};

static const unsigned char js_views_composer_js[] = {
#embed "../../web/js/views/composer.js"
};

static const unsigned char js_views_confirm_word_js[] = {
#embed "../../web/js/views/confirm-word.js"
};

static const unsigned char js_views_content_js[] = {
#embed "../../web/js/views/content.js"
};

static const unsigned char js_views_deep_link_js[] = {
#embed "../../web/js/views/deep-link.js"
};

static const unsigned char js_views_devices_js[] = {
#embed "../../web/js/views/devices.js"
};

static const unsigned char js_views_diff_js[] = {
#embed "../../web/js/views/diff.js"
};

static const unsigned char js_views_doing_js[] = {
#embed "../../web/js/views/doing.js"
};

static const unsigned char js_views_drawer_js[] = {
#embed "../../web/js/views/drawer.js"
};

static const unsigned char js_views_drive_js[] = {
#embed "../../web/js/views/drive.js"
};

static const unsigned char js_views_earlier_js[] = {
#embed "../../web/js/views/earlier.js"
};

static const unsigned char js_views_elsewhere_js[] = {
#embed "../../web/js/views/elsewhere.js"
};

static const unsigned char js_views_fading_js[] = {
#embed "../../web/js/views/fading.js"
};

static const unsigned char js_views_feedback_js[] = {
#embed "../../web/js/views/feedback.js"
};

static const unsigned char js_views_file_js[] = {
#embed "../../web/js/views/file.js"
};

static const unsigned char js_views_files_js[] = {
#embed "../../web/js/views/files.js"
};

static const unsigned char js_views_frame_js[] = {
#embed "../../web/js/views/frame.js"
};

static const unsigned char js_views_fresh_js[] = {
#embed "../../web/js/views/fresh.js"
};

static const unsigned char js_views_guests_js[] = {
#embed "../../web/js/views/guests.js"
};

static const unsigned char js_views_hands_js[] = {
#embed "../../web/js/views/hands.js"
};

static const unsigned char js_views_headings_js[] = {
#embed "../../web/js/views/headings.js"
};

static const unsigned char js_views_history_js[] = {
#embed "../../web/js/views/history.js"
};

static const unsigned char js_views_inner_js[] = {
#embed "../../web/js/views/inner.js"
};

static const unsigned char js_views_install_js[] = {
#embed "../../web/js/views/install.js"
};

static const unsigned char js_views_jumps_js[] = {
#embed "../../web/js/views/jumps.js"
};

static const unsigned char js_views_keys_js[] = {
#embed "../../web/js/views/keys.js"
};

static const unsigned char js_views_lent_js[] = {
#embed "../../web/js/views/lent.js"
};

static const unsigned char js_views_like_js[] = {
#embed "../../web/js/views/like.js"
};

static const unsigned char js_views_linked_js[] = {
#embed "../../web/js/views/linked.js"
};

static const unsigned char js_views_listing_js[] = {
#embed "../../web/js/views/listing.js"
};

static const unsigned char js_views_message_js[] = {
#embed "../../web/js/views/message.js"
};

static const unsigned char js_views_news_js[] = {
#embed "../../web/js/views/news.js"
};

static const unsigned char js_views_nothing_js[] = {
#embed "../../web/js/views/nothing.js"
};

static const unsigned char js_views_notifications_js[] = {
#embed "../../web/js/views/notifications.js"
};

static const unsigned char js_views_overview_js[] = {
#embed "../../web/js/views/overview.js"
};

static const unsigned char js_views_pager_js[] = {
#embed "../../web/js/views/pager.js"
};

static const unsigned char js_views_pair_js[] = {
#embed "../../web/js/views/pair.js"
};

static const unsigned char js_views_patch_js[] = {
#embed "../../web/js/views/patch.js"
};

static const unsigned char js_views_patterns_js[] = {
#embed "../../web/js/views/patterns.js"
};

static const unsigned char js_views_picture_js[] = {
#embed "../../web/js/views/picture.js"
};

static const unsigned char js_views_pictures_js[] = {
#embed "../../web/js/views/pictures.js"
};

static const unsigned char js_views_places_js[] = {
#embed "../../web/js/views/places.js"
};

static const unsigned char js_views_plan_js[] = {
#embed "../../web/js/views/plan.js"
};

static const unsigned char js_views_question_js[] = {
#embed "../../web/js/views/question.js"
};

static const unsigned char js_views_repository_acts_js[] = {
#embed "../../web/js/views/repository-acts.js"
};

static const unsigned char js_views_repository_bar_js[] = {
#embed "../../web/js/views/repository-bar.js"
};

static const unsigned char js_views_requests_js[] = {
#embed "../../web/js/views/requests.js"
};

static const unsigned char js_views_resume_js[] = {
#embed "../../web/js/views/resume.js"
};

static const unsigned char js_views_rules_js[] = {
#embed "../../web/js/views/rules.js"
};

static const unsigned char js_views_run_sheet_js[] = {
#embed "../../web/js/views/run-sheet.js"
};

static const unsigned char js_views_search_js[] = {
#embed "../../web/js/views/search.js"
};

static const unsigned char js_views_sessions_js[] = {
#embed "../../web/js/views/sessions.js"
};

static const unsigned char js_views_sight_js[] = {
#embed "../../web/js/views/sight.js"
};

static const unsigned char js_views_stashes_js[] = {
#embed "../../web/js/views/stashes.js"
};

static const unsigned char js_views_stream_js[] = {
#embed "../../web/js/views/stream.js"
};

static const unsigned char js_views_table_js[] = {
#embed "../../web/js/views/table.js"
};

static const unsigned char js_views_text_js[] = {
#embed "../../web/js/views/text.js"
};

static const unsigned char js_views_thread_js[] = {
#embed "../../web/js/views/thread.js"
};

static const unsigned char js_views_transcript_js[] = {
#embed "../../web/js/views/transcript.js"
};

static const unsigned char js_views_tree_js[] = {
#embed "../../web/js/views/tree.js"
};

static const unsigned char js_views_viewers_js[] = {
#embed "../../web/js/views/viewers.js"
};

static const unsigned char js_views_ways_js[] = {
#embed "../../web/js/views/ways.js"
};

static const unsigned char js_views_why_js[] = {
#embed "../../web/js/views/why.js"
};

static const unsigned char js_worker_registration_js[] = {
#embed "../../web/js/worker-registration.js"
};

static const unsigned char manifest_webmanifest[] = {
#embed "../../web/manifest.webmanifest"
};

static const unsigned char swagger_index_html[] = {
#embed "../../web/swagger/index.html"
};

static const unsigned char swagger_swagger_css[] = {
#embed "../../web/swagger/swagger.css"
};

static const unsigned char swagger_swagger_js[] = {
#embed "../../web/swagger/swagger.js"
};

static const unsigned char worker_js[] = {
#embed "../../web/worker.js"
};

static const struct cassets_file files[] = {
    {"/a.html", a_html, sizeof a_html},
    {"/css/base.css", css_base_css, sizeof css_base_css},
    {"/css/card.css", css_card_css, sizeof css_card_css},
    {"/css/content.css", css_content_css, sizeof css_content_css},
    {"/css/drive.css", css_drive_css, sizeof css_drive_css},
    {"/css/frame.css", css_frame_css, sizeof css_frame_css},
    {"/css/lists.css", css_lists_css, sizeof css_lists_css},
    {"/css/project.css", css_project_css, sizeof css_project_css},
    {"/icons/icon-192.png", icons_icon_192_png, sizeof icons_icon_192_png},
    {"/icons/icon-512.png", icons_icon_512_png, sizeof icons_icon_512_png},
    {"/icons/icon.svg", icons_icon_svg, sizeof icons_icon_svg},
    {"/icons/maskable-512.png", icons_maskable_512_png, sizeof icons_maskable_512_png},
    {"/icons/touch.png", icons_touch_png, sizeof icons_touch_png},
    {"/index.html", index_html, sizeof index_html},
    {"/js/answer.js", js_answer_js, sizeof js_answer_js},
    {"/js/app.js", js_app_js, sizeof js_app_js},
    {"/js/dom.js", js_dom_js, sizeof js_dom_js},
    {"/js/main.js", js_main_js, sizeof js_main_js},
    {"/js/net/detour.js", js_net_detour_js, sizeof js_net_detour_js},
    {"/js/net/link.js", js_net_link_js, sizeof js_net_link_js},
    {"/js/net/pairing.js", js_net_pairing_js, sizeof js_net_pairing_js},
    {"/js/net/poll.js", js_net_poll_js, sizeof js_net_poll_js},
    {"/js/net/rpc.js", js_net_rpc_js, sizeof js_net_rpc_js},
    {"/js/net/socket.js", js_net_socket_js, sizeof js_net_socket_js},
    {"/js/net/tokens.js", js_net_tokens_js, sizeof js_net_tokens_js},
    {"/js/net/vault.js", js_net_vault_js, sizeof js_net_vault_js},
    {"/js/state/answers.js", js_state_answers_js, sizeof js_state_answers_js},
    {"/js/state/deck.js", js_state_deck_js, sizeof js_state_deck_js},
    {"/js/state/details.js", js_state_details_js, sizeof js_state_details_js},
    {"/js/state/features.js", js_state_features_js, sizeof js_state_features_js},
    {"/js/state/gate.js", js_state_gate_js, sizeof js_state_gate_js},
    {"/js/state/model.js", js_state_model_js, sizeof js_state_model_js},
    {"/js/state/modes.js", js_state_modes_js, sizeof js_state_modes_js},
    {"/js/state/offered.js", js_state_offered_js, sizeof js_state_offered_js},
    {"/js/state/presence.js", js_state_presence_js, sizeof js_state_presence_js},
    {"/js/state/prompt.js", js_state_prompt_js, sizeof js_state_prompt_js},
    {"/js/state/prompts.js", js_state_prompts_js, sizeof js_state_prompts_js},
    {"/js/state/repository.js", js_state_repository_js, sizeof js_state_repository_js},
    {"/js/state/run.js", js_state_run_js, sizeof js_state_run_js},
    {"/js/state/scaled.js", js_state_scaled_js, sizeof js_state_scaled_js},
    {"/js/state/sync.js", js_state_sync_js, sizeof js_state_sync_js},
    {"/js/state/transcript.js", js_state_transcript_js, sizeof js_state_transcript_js},
    {"/js/state/workspaces.js", js_state_workspaces_js, sizeof js_state_workspaces_js},
    {"/js/text/address.js", js_text_address_js, sizeof js_text_address_js},
    {"/js/text/characters.js", js_text_characters_js, sizeof js_text_characters_js},
    {"/js/text/inline.js", js_text_inline_js, sizeof js_text_inline_js},
    {"/js/text/markdown.js", js_text_markdown_js, sizeof js_text_markdown_js},
    {"/js/text/patch.js", js_text_patch_js, sizeof js_text_patch_js},
    {"/js/text/runs.js", js_text_runs_js, sizeof js_text_runs_js},
    {"/js/text/words.js", js_text_words_js, sizeof js_text_words_js},
    {"/js/tool.js", js_tool_js, sizeof js_tool_js},
    {"/js/views/actions.js", js_views_actions_js, sizeof js_views_actions_js},
    {"/js/views/ask.js", js_views_ask_js, sizeof js_views_ask_js},
    {"/js/views/batch.js", js_views_batch_js, sizeof js_views_batch_js},
    {"/js/views/branches.js", js_views_branches_js, sizeof js_views_branches_js},
    {"/js/views/call.js", js_views_call_js, sizeof js_views_call_js},
    {"/js/views/calls.js", js_views_calls_js, sizeof js_views_calls_js},
    {"/js/views/card.js", js_views_card_js, sizeof js_views_card_js},
    {"/js/views/change-row.js", js_views_change_row_js, sizeof js_views_change_row_js},
    {"/js/views/changes.js", js_views_changes_js, sizeof js_views_changes_js},
    {"/js/views/commands.js", js_views_commands_js, sizeof js_views_commands_js},
    {"/js/views/commit.js", js_views_commit_js, sizeof js_views_commit_js},
    {"/js/views/commits.js", js_views_commits_js, sizeof js_views_commits_js},
    {"/js/views/composer.js", js_views_composer_js, sizeof js_views_composer_js},
    {"/js/views/confirm-word.js", js_views_confirm_word_js, sizeof js_views_confirm_word_js},
    {"/js/views/content.js", js_views_content_js, sizeof js_views_content_js},
    {"/js/views/deep-link.js", js_views_deep_link_js, sizeof js_views_deep_link_js},
    {"/js/views/devices.js", js_views_devices_js, sizeof js_views_devices_js},
    {"/js/views/diff.js", js_views_diff_js, sizeof js_views_diff_js},
    {"/js/views/doing.js", js_views_doing_js, sizeof js_views_doing_js},
    {"/js/views/drawer.js", js_views_drawer_js, sizeof js_views_drawer_js},
    {"/js/views/drive.js", js_views_drive_js, sizeof js_views_drive_js},
    {"/js/views/earlier.js", js_views_earlier_js, sizeof js_views_earlier_js},
    {"/js/views/elsewhere.js", js_views_elsewhere_js, sizeof js_views_elsewhere_js},
    {"/js/views/fading.js", js_views_fading_js, sizeof js_views_fading_js},
    {"/js/views/feedback.js", js_views_feedback_js, sizeof js_views_feedback_js},
    {"/js/views/file.js", js_views_file_js, sizeof js_views_file_js},
    {"/js/views/files.js", js_views_files_js, sizeof js_views_files_js},
    {"/js/views/frame.js", js_views_frame_js, sizeof js_views_frame_js},
    {"/js/views/fresh.js", js_views_fresh_js, sizeof js_views_fresh_js},
    {"/js/views/guests.js", js_views_guests_js, sizeof js_views_guests_js},
    {"/js/views/hands.js", js_views_hands_js, sizeof js_views_hands_js},
    {"/js/views/headings.js", js_views_headings_js, sizeof js_views_headings_js},
    {"/js/views/history.js", js_views_history_js, sizeof js_views_history_js},
    {"/js/views/inner.js", js_views_inner_js, sizeof js_views_inner_js},
    {"/js/views/install.js", js_views_install_js, sizeof js_views_install_js},
    {"/js/views/jumps.js", js_views_jumps_js, sizeof js_views_jumps_js},
    {"/js/views/keys.js", js_views_keys_js, sizeof js_views_keys_js},
    {"/js/views/lent.js", js_views_lent_js, sizeof js_views_lent_js},
    {"/js/views/like.js", js_views_like_js, sizeof js_views_like_js},
    {"/js/views/linked.js", js_views_linked_js, sizeof js_views_linked_js},
    {"/js/views/listing.js", js_views_listing_js, sizeof js_views_listing_js},
    {"/js/views/message.js", js_views_message_js, sizeof js_views_message_js},
    {"/js/views/news.js", js_views_news_js, sizeof js_views_news_js},
    {"/js/views/nothing.js", js_views_nothing_js, sizeof js_views_nothing_js},
    {"/js/views/notifications.js", js_views_notifications_js, sizeof js_views_notifications_js},
    {"/js/views/overview.js", js_views_overview_js, sizeof js_views_overview_js},
    {"/js/views/pager.js", js_views_pager_js, sizeof js_views_pager_js},
    {"/js/views/pair.js", js_views_pair_js, sizeof js_views_pair_js},
    {"/js/views/patch.js", js_views_patch_js, sizeof js_views_patch_js},
    {"/js/views/patterns.js", js_views_patterns_js, sizeof js_views_patterns_js},
    {"/js/views/picture.js", js_views_picture_js, sizeof js_views_picture_js},
    {"/js/views/pictures.js", js_views_pictures_js, sizeof js_views_pictures_js},
    {"/js/views/places.js", js_views_places_js, sizeof js_views_places_js},
    {"/js/views/plan.js", js_views_plan_js, sizeof js_views_plan_js},
    {"/js/views/question.js", js_views_question_js, sizeof js_views_question_js},
    {"/js/views/repository-acts.js", js_views_repository_acts_js, sizeof js_views_repository_acts_js},
    {"/js/views/repository-bar.js", js_views_repository_bar_js, sizeof js_views_repository_bar_js},
    {"/js/views/requests.js", js_views_requests_js, sizeof js_views_requests_js},
    {"/js/views/resume.js", js_views_resume_js, sizeof js_views_resume_js},
    {"/js/views/rules.js", js_views_rules_js, sizeof js_views_rules_js},
    {"/js/views/run-sheet.js", js_views_run_sheet_js, sizeof js_views_run_sheet_js},
    {"/js/views/search.js", js_views_search_js, sizeof js_views_search_js},
    {"/js/views/sessions.js", js_views_sessions_js, sizeof js_views_sessions_js},
    {"/js/views/sight.js", js_views_sight_js, sizeof js_views_sight_js},
    {"/js/views/stashes.js", js_views_stashes_js, sizeof js_views_stashes_js},
    {"/js/views/stream.js", js_views_stream_js, sizeof js_views_stream_js},
    {"/js/views/table.js", js_views_table_js, sizeof js_views_table_js},
    {"/js/views/text.js", js_views_text_js, sizeof js_views_text_js},
    {"/js/views/thread.js", js_views_thread_js, sizeof js_views_thread_js},
    {"/js/views/transcript.js", js_views_transcript_js, sizeof js_views_transcript_js},
    {"/js/views/tree.js", js_views_tree_js, sizeof js_views_tree_js},
    {"/js/views/viewers.js", js_views_viewers_js, sizeof js_views_viewers_js},
    {"/js/views/ways.js", js_views_ways_js, sizeof js_views_ways_js},
    {"/js/views/why.js", js_views_why_js, sizeof js_views_why_js},
    {"/js/worker-registration.js", js_worker_registration_js, sizeof js_worker_registration_js},
    {"/manifest.webmanifest", manifest_webmanifest, sizeof manifest_webmanifest},
    {"/swagger/index.html", swagger_index_html, sizeof swagger_index_html},
    {"/swagger/swagger.css", swagger_swagger_css, sizeof swagger_swagger_css},
    {"/swagger/swagger.js", swagger_swagger_js, sizeof swagger_swagger_js},
    {"/worker.js", worker_js, sizeof worker_js},
};

const struct cassets_file *cassets_web(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
